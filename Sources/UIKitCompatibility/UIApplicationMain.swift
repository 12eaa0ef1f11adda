// SPDX-License-Identifier: Apache-2.0
import Scenes

extension UIApplicationDelegate where Self: UIResponder {
  /// Runs the application; `@main` on the delegate's class calls it.
  ///
  /// The application's ID is `CFBundleIdentifier` of an `Info.plist` beside the program. The application has scenes if
  /// the `Info.plist` has a `UIApplicationSceneManifest`, or if a class `SceneDelegate` exists beside the delegate. A scene
  /// without a class has no delegate, unless `application(_:configurationForConnecting:options:)` names one.
  public static func main() async {
    let information = ProgramInformation()
    guard let identifier = information.identifier else {
      printError(
        "\(Self.self): the application has no ID; write CFBundleIdentifier into \(information.path)")
      exit(64)
    }
    var application = SceneApplication(identifier)
    application.webLinks = .userActivities
    let delegate = Self()
    let type = sceneDelegateClass(information, of: identifier)
    guard type != nil || information.hasSceneManifest else {
      await application.main(delegate: delegate)
      return
    }
    await application.main(
      delegate: delegate,
      scenes: SceneConfiguration(name: "Default Configuration") {
        await MainActor.run { (type ?? NoDelegate.self).init() }
      })
  }

  /// The class of the scene delegates: the one that `Info.plist` names, otherwise `SceneDelegate` in the same module; `nil` if neither exists.
  private static func sceneDelegateClass(
    _ information: ProgramInformation, of identifier: String
  ) -> SceneDelegateClass? {
    let name = String(reflecting: Self.self)
    let module = name.prefix { $0 != "." }
    let beside = name.split(separator: ".").dropLast().joined(separator: ".") + ".SceneDelegate"
    let declared = information.sceneDelegateClassName?.replacing("$(PRODUCT_MODULE_NAME)", with: module)
    guard let type = _typeByName(declared ?? beside) else {
      if let declared {
        printError(
          """
          \(identifier): warning: there is no class \(declared), which UISceneDelegateClassName names; write MODULE.CLASS into \
          \(information.path)
          """)
      }
      return nil
    }
    return readSceneDelegateClass(type, of: identifier)
  }
}

/// A class of scene delegates that can be created.
typealias SceneDelegateClass = any (UIResponder & UISceneDelegate).Type

/// The delegate of the scenes of an application that names no class for them.
private final class NoDelegate: UIResponder, UISceneDelegate {}

/// Returns a class of scene delegates; for another one, such as a subclass of `NSObject`, prints a warning.
func readSceneDelegateClass(_ type: Any.Type, of identifier: String) -> SceneDelegateClass? {
  if let type = type as? SceneDelegateClass { return type }
  printError(
    """
    \(identifier): warning: \(String(reflecting: type)) is never the delegate of a scene; make it a subclass of UIResponder that \
    conforms to UISceneDelegate
    """)
  return nil
}

/// Prints a line to the standard error.
private func printError(_ line: String) {
  try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
}

/// The `Info.plist` beside the program.
struct ProgramInformation {
  /// The path of the file.
  let path: String
  private let entries: [String: Any]

  /// Reads the file; without it, the program has no information.
  init() {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    path = program.deletingLastPathComponent().appending(path: "Info.plist").path
    let data = FileManager.default.contents(atPath: path) ?? Data()
    entries = (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [String: Any] ?? [:]
  }

  /// `CFBundleIdentifier`.
  var identifier: String? { entries["CFBundleIdentifier"] as? String }

  /// A Boolean value that is `true` if there is a `UIApplicationSceneManifest`.
  var hasSceneManifest: Bool { entries["UIApplicationSceneManifest"] != nil }

  /// `UISceneDelegateClassName` of the first configuration for windows.
  var sceneDelegateClassName: String? {
    let manifest = entries["UIApplicationSceneManifest"] as? [String: Any]
    let configurations = manifest?["UISceneConfigurations"] as? [String: Any]
    let windows = configurations?["UIWindowSceneSessionRoleApplication"] as? [[String: Any]]
    return windows?.first?["UISceneDelegateClassName"] as? String
  }
}
