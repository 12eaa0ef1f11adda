import BusInterfaces

/// The start of an application with a delegate, which happens once, before anything is delivered.
struct Launch {
  /// What the delegate's two methods said.
  struct Answers: Hashable {
    var willFinishLaunching: Bool
    var didFinishLaunching: Bool
  }

  /// Whether the call that a reason has is made: not when either method said `false`.
  ///
  /// UIKit's pages contradict each other here ("either", "both"). Of a remote notification it is not asked.
  static func delivers(_ content: RequestContent, after answers: Answers) -> Bool {
    switch content {
    case .notification(let notification) where notification.isRemote: true
    case .notificationResponse(let response) where response.notification.isRemote: true
    default: answers.willFinishLaunching && answers.didFinishLaunching
    }
  }

  /// What the caller is told of a reason whose call was not made.
  ///
  /// A delegate says `false` to a quick action that it has dealt with already, and to anything else that it cannot deal with.
  static func resultWithoutDelivery(_ content: RequestContent) -> SceneResult {
    if case .shortcutItem = content { .handled } else { .notHandled }
  }
}
