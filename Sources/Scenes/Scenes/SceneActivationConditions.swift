/// Which content a scene is for: UIKit's `UISceneActivationConditions`.
public struct SceneActivationConditions: Hashable, Sendable {
  /// Content that goes here if no scene is preferred for it; ``ActivationPredicate/any`` unless told otherwise.
  public var canActivateForTargetContentIdentifier = ActivationPredicate.any
  /// Content that goes here first of all; ``ActivationPredicate/none`` unless told otherwise.
  public var prefersToActivateForTargetContentIdentifier = ActivationPredicate.none

  /// A scene that takes all content, and is preferred for none.
  public init() {}

  /// A scene that is preferred for some content, and can take some.
  public init(canActivate: ActivationPredicate = .any, prefersToActivate: ActivationPredicate) {
    canActivateForTargetContentIdentifier = canActivate
    prefersToActivateForTargetContentIdentifier = prefersToActivate
  }
}
