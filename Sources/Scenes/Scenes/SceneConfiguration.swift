// SPDX-License-Identifier: Apache-2.0
/// The configuration of a scene: UIKit's `UISceneConfiguration`, with a closure instead of a class name.
public struct SceneConfiguration: Sendable {
  /// The name, which is stored with the session.
  public let name: String
  package let makeDelegate: @concurrent @Sendable () async -> any SceneDelegate

  /// Creates a configuration; the closure makes a delegate for each scene.
  ///
  /// ```swift
  /// SceneConfiguration(name: "note") { await NoteScene() }
  /// ```
  public init(
    name: String = "default", delegate: @escaping @concurrent @Sendable () async -> any SceneDelegate
  ) {
    self.name = name
    makeDelegate = delegate
  }
}
