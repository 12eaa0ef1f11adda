// SPDX-License-Identifier: Apache-2.0
import Scenes

/// A URL to open, with its options.
@MainActor public final class UIOpenURLContext: UIObject {
  /// The URL.
  public let url: URL
  /// The options.
  public let options: UIScene.OpenURLOptions

  init(_ url: URL, _ options: OpenURLOptions) {
    self.url = url
    self.options = UIScene.OpenURLOptions(options)
  }

  /// The contexts whose URL Foundation can parse; without any, the error of the caller.
  static func contexts(_ contexts: [OpenURLContext]) throws -> Set<UIOpenURLContext> {
    let readable = contexts.compactMap { context in context.url.map { UIOpenURLContext($0, context.options) }
    }
    guard contexts.isEmpty || !readable.isEmpty else { throw SceneError.unparsableURL }
    return Set(readable)
  }
}

/// The superclass of objects that have identity.
@MainActor open class UIObject: Hashable {
  init() {}
  /// Returns `true` if the objects are identical.
  nonisolated public static func == (lhs: UIObject, rhs: UIObject) -> Bool { lhs === rhs }
  /// Hashes the identity.
  nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
