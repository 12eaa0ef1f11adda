// SPDX-License-Identifier: Apache-2.0
import Scenes

extension UIApplicationDelegate where Self: UIResponder {
  /// Runs the application; `@main` on the delegate's class calls it.
  ///
  /// The application's ID is `CFBundleIdentifier` of an `Info.plist` beside the program. The application has scenes if
  /// the `Info.plist` has a `UIApplicationSceneManifest`, or if a class `SceneDelegate` exists beside the delegate.
  public static func main() async {
    let information = ProgramInformation()
    guard let identifier = information.identifier else {
      FileHandle.standardError.write(
        Data(
          """
          \(Self.self): the application has no ID; write CFBundleIdentifier into \(information.path)

          """.utf8))
      exit(64)
    }
    var application = SceneApplication(identifier)
    application.webLinks = .userActivities
    let delegate = Self()
    guard let type = sceneDelegateClass(information) else {
      await application.main(delegate: delegate)
      return
    }
    await application.main(
      delegate: delegate,
      scenes: SceneConfiguration(name: "Default Configuration") { await MainActor.run { type.init() } })
  }

  /// The class of the scene delegates: the one that `Info.plist` names, otherwise `SceneDelegate` in the same module; `nil` if neither exists.
  static func sceneDelegateClass(
    _ information: ProgramInformation
  ) -> (any (UIResponder & UISceneDelegate).Type)? {
    let name = String(reflecting: Self.self)
    let module = name.prefix { $0 != "." }
    let beside = name.split(separator: ".").dropLast().joined(separator: ".") + ".SceneDelegate"
    let declared = information.sceneDelegateClassName?.replacing("$(PRODUCT_MODULE_NAME)", with: module)
    return _typeByName(declared ?? beside) as? any (UIResponder & UISceneDelegate).Type
  }
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

  /// `UISceneDelegateClassName` of the first configuration for windows.
  var sceneDelegateClassName: String? {
    let manifest = entries["UIApplicationSceneManifest"] as? [String: Any]
    let configurations = manifest?["UISceneConfigurations"] as? [String: Any]
    let windows = configurations?["UIWindowSceneSessionRoleApplication"] as? [[String: Any]]
    return windows?.first?["UISceneDelegateClassName"] as? String
  }
}
