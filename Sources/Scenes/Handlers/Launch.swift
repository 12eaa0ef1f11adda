// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

/// The launch of an application with a delegate, which happens once, before the first delivery.
struct Launch {
  /// The return values of the delegate's two launch methods.
  struct Answers: Hashable {
    var willFinishLaunching: Bool
    var didFinishLaunching: Bool
    /// A Boolean value that is `true` if the delegate implements at least one of the methods, and so receives the options.
    var areImplemented = true
  }

  /// Returns `false` if the delegate method for `content` must be skipped because either launch method returned `false`.
  ///
  /// UIKit's documentation contradicts itself here ("either", "both"). It names URLs, activities and quick actions only: notifications,
  /// and what managers and downloads receive, are delivered in any case. The reason decides about content that cannot be read.
  static func delivers(_ content: RequestContent, of reason: LaunchReason, after answers: Answers) -> Bool {
    switch content {
    case .notification, .notificationResponse: true
    case .other where reason != .userActivity && reason != .shortcutItem: true
    case .urls, .activate, .shortcutItem, .userActivity, .handoff, .handoffFailed, .cloudKitShare, .other:
      answers.willFinishLaunching && answers.didFinishLaunching
    }
  }

  /// Returns the result for content whose delegate method was skipped.
  ///
  /// A delegate returns `false` for a shortcut item that it already performed, and for other content that it cannot
  /// handle.
  static func resultWithoutDelivery(_ content: RequestContent) -> SceneResult {
    if case .shortcutItem = content { .handled } else { .notHandled }
  }
}
