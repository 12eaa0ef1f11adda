/// How a scene is made: UIKit's `UISceneConfiguration`, with a closure in place of a class's name.
public struct SceneConfiguration: Sendable {
  /// Its name, which the session keeps.
  public let name: String
  package let makeDelegate: @Sendable () async -> any SceneDelegate

  /// A configuration whose scenes get delegates of their own.
  ///
  /// ```swift
  /// SceneConfiguration(name: "note") { await NoteScene() }
  /// ```
  public init(name: String = "default", delegate: @escaping @Sendable () async -> any SceneDelegate) {
    self.name = name
    makeDelegate = delegate
  }
}
