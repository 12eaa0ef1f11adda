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

  /// The contexts whose URL Foundation can parse.
  static func contexts(_ contexts: [OpenURLContext]) -> Set<UIOpenURLContext> {
    Set(contexts.compactMap { context in context.url.map { UIOpenURLContext($0, context.options) } })
  }
}

extension ConnectionOptions {
  /// Throws an error if UIKit's options lack a URL, because Foundation cannot parse it.
  func checkURLs() throws(SceneError) {
    guard urlContexts.allSatisfy({ $0.url != nil }), userActivities.allSatisfy(\.isParsable) else {
      throw .unparsableURL
    }
  }
}

extension UserActivity {
  /// A Boolean value that is `false` for a universal link whose URL Foundation cannot parse.
  var isParsable: Bool {
    guard activityType == Self.browsingWeb, let webpageURL else { return true }
    return URL(string: webpageURL) != nil
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
