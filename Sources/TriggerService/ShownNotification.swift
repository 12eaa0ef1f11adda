// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import State
import Triggers

/// A delivered notification: the progress of showing it, and the reactions that it offers to the user.
///
/// An attempt to show it begins with ``beginAttempt()`` and ends with ``endAttempt()``. In between, ``beginCall(offering:)`` is followed by
/// ``recordShown(as:by:)`` or ``recordFailure()``.
@BrokerActor
final class ShownNotification {
  /// The progress of showing it on the current server.
  enum Phase {
    /// No attempt is in progress.
    case hidden
    /// The broker, the application and the server are asked how it is shown.
    case deciding
    /// The call `Notify` is in progress.
    case calling
    /// The server shows it.
    case shown
  }

  /// The reactions to a message, besides that to the notification itself.
  struct Reactions {
    /// The actions by the keys that the server reports.
    var actions: [String: NotificationCategory.Action] = [:]
    /// Indicates whether the user's removal is reported to the application.
    var hasDismissAction = false
  }

  let request: NotificationRequest
  private(set) var stored: StoredNotification
  private(set) var phase = Phase.hidden
  /// The notification that the user sees until this one is shown in its place, under the same number.
  private(set) var predecessor: ShownNotification?
  /// Indicates whether it was shown by this daemon or an earlier one, so that its number is its own, and it makes no further sound.
  private var wasShown: Bool
  /// Indicates whether an attempt has failed since it was shown last.
  private var hasFailed = false
  /// Indicates whether this daemon has set its badge.
  var hasSetBadge = false
  /// The reactions to its last message.
  private var reactions = Reactions()

  /// Creates a notification that an earlier daemon has stored.
  init(_ stored: StoredNotification, _ request: NotificationRequest) {
    self.stored = stored
    self.request = request
    wasShown = stored.number != nil
  }

  /// Creates a notification that is due.
  ///
  /// - Parameters:
  ///   - replaced: The delivered notification with its key, whose number it gets.
  ///   - server: The current server.
  convenience init(
    _ stored: StoredNotification, _ request: NotificationRequest, replacing replaced: ShownNotification?,
    on server: BusName?
  ) {
    self.init(stored, request)
    self.stored.number = replaced?.stored.number
    self.stored.server = replaced?.stored.server
    predecessor = replaced?.visible(on: server)
  }

  /// The parts that are shown, such as `banner`; `nil` if the application was not asked yet.
  var presentation: [String]? {
    get { stored.presentation?.split(separator: " ").map(String.init) }
    set { stored.presentation = newValue?.joined(separator: " ") }
  }

  // MARK: The screen

  /// Returns its number on a server, or that of the notification that it replaces; `nil` if that server has shown neither.
  func number(on server: BusName?) -> UInt32? {
    stored.server == server?.rawValue ? stored.number : nil
  }

  /// Returns whether a server shows it, as this daemon or an earlier one has requested.
  func isOnScreen(of server: BusName?) -> Bool { wasShown && number(on: server) != nil }

  /// Returns the notification that the user sees: this one or its predecessor.
  func visible(on server: BusName?) -> ShownNotification? { isOnScreen(of: server) ? self : predecessor }

  // MARK: Showing

  /// Begins an attempt to show it.
  ///
  /// - Returns: `false` if it is shown, or another attempt is in progress.
  func beginAttempt() -> Bool {
    guard phase == .hidden else { return false }
    phase = .deciding
    return true
  }

  /// Begins to show a message with some reactions.
  func beginCall(offering reactions: Reactions) {
    self.reactions = reactions
    phase = .calling
  }

  /// Records that a server has shown it under a number.
  func recordShown(as number: UInt32, by server: BusName) {
    (stored.number, stored.server) = (number, server.rawValue)
    (phase, wasShown, hasFailed) = (.shown, true, false)
    predecessor = nil
  }

  /// Records that the attempt has failed.
  ///
  /// - Returns: Whether it is the first one that has failed since the notification was shown last.
  func recordFailure() -> Bool {
    defer { hasFailed = true }
    return !hasFailed
  }

  /// Ends the attempt.
  func endAttempt() {
    if phase != .shown { phase = .hidden }
  }

  /// Records that another server, or none, is the current one.
  func recordEndOfServer() {
    if phase == .shown { phase = .hidden }
    predecessor = nil
  }

  /// Records that its server has closed it.
  func recordClosed() {
    phase = .hidden
    stored.number = nil
  }

  /// Records that a notification that it replaces was shown under its number, and is seen until it is shown itself.
  func recordPredecessor(_ earlier: ShownNotification) {
    if !wasShown { predecessor = earlier }
  }

  /// Forgets its predecessor, which the user has answered or closed, and then gets a number of its own.
  ///
  /// - Returns: The number of the predecessor on the screen; `nil` if it is closed, or this one is being shown in its place already.
  @discardableResult
  func forgetPredecessor() -> UInt32? {
    let number = predecessor?.stored.number
    predecessor = nil
    guard phase != .calling else { return nil }
    stored.number = nil
    return number
  }

  // MARK: Events

  /// Returns the notification that the user has seen under a number: this one or its predecessor; `nil` if neither is known to be it.
  func target(of event: NotificationServer.Event, under number: UInt32) -> ShownNotification? {
    if phase == .shown { return number == stored.number ? self : nil }
    guard let predecessor, predecessor.stored.number == number else { return nil }
    guard phase == .calling else { return predecessor }
    // The keys of buttons are those of one notification.
    if case .invoked(_, let key, _) = event, predecessor.reactions.actions[key] != nil { return predecessor }
    return nil
  }

  /// Returns whether an event may be about it that has no target yet.
  ///
  /// The event may precede the reply with the number. One that an earlier daemon has shown has its actions again when it is shown again.
  func mayBecomeTarget(under number: UInt32, on server: BusName?) -> Bool {
    phase == .calling || isOnScreen(of: server) && stored.number == number
  }

  /// Returns the user's reaction in an event, and the activation token for the application; `nil` if the application receives nothing.
  func reaction(to event: NotificationServer.Event) -> (reaction: NotificationReaction, token: String?)? {
    switch event {
    case .invoked(_, NotificationCategory.defaultAction, let token):
      (NotificationReaction(action: NotificationCategory.defaultAction), token)
    case .invoked(_, let key, let token):
      reactions.actions[key].map {
        (NotificationReaction(action: $0.identifier), $0.isForeground ? token : nil)
      }
    case .replied(_, let text, let token):
      reactions.actions[NotificationServer.inlineReply].map {
        (NotificationReaction(action: $0.identifier, text: text), $0.isForeground ? token : nil)
      }
    case .closed(_, .dismissed) where reactions.hasDismissAction:
      (NotificationReaction(action: NotificationCategory.dismissAction), nil)
    case .closed, .appeared, .vanished: nil
    }
  }
}

extension ShownNotification {
  /// Returns the message that shows it, and the reactions to that message.
  ///
  /// - Parameters:
  ///   - presentation: Some of `banner`, `list` and `sound`.
  ///   - entry: The desktop entry of its application.
  ///   - categories: The categories of its application.
  ///   - capabilities: The capabilities of the server.
  ///   - server: The current server, on which the message replaces the one with its number.
  func message(
    presentation: [String], entry: DesktopEntry?, categories: [NotificationCategory],
    capabilities: Set<String>, on server: BusName?
  ) -> (message: NotificationServer.Message, reactions: Reactions) {
    let content = request.content
    let name = entry?.name() ?? stored.application
    let category = categories.first { $0.identifier == content.categoryIdentifier }
    var hints: [String: Variant] = [
      "desktop-entry": .string(stored.application),
      "urgency": .byte(presentation.contains("banner") ? 1 : 0),
      // After a crash between showing and storing the number, servers that know these hints replace the notification.
      "x-dunst-stack-tag": .string(stored.id), "x-canonical-private-synchronous": .string(stored.id),
    ]
    if let sound = content.sound, presentation.contains("sound"), !wasShown {
      hints["sound-name"] = .string(sound == "default" ? "message-new-instant" : sound)
    } else {
      hints["suppress-sound"] = .boolean(true)
    }
    var labels: [(key: String, label: String)] = [(NotificationCategory.defaultAction, "Open")]
    var reactions = Reactions(hasDismissAction: category?.hasCustomDismissAction ?? false)
    let offered = category?.actions ?? content.actions
    for (action, ownKey) in zip(offered, NotificationsInterface.actionKeys(offered.count)) {
      // The server has one text field.
      let hasField = action.hasTextInput && capabilities.contains(NotificationServer.inlineReply)
      let isField = hasField && reactions.actions[NotificationServer.inlineReply] == nil
      let key = isField ? NotificationServer.inlineReply : ownKey
      reactions.actions[key] = action
      labels.append((key, action.title))
      guard isField else { continue }
      if let text = action.placeholder { hints["x-kde-reply-placeholder-text"] = .string(text) }
      if let text = action.buttonTitle { hints["x-kde-reply-submit-button-text"] = .string(text) }
    }
    let message = NotificationServer.Message(
      applicationName: name, icon: entry?.icon() ?? "", summary: content.title ?? name,
      body: [content.subtitle, content.body].compactMap(\.self).joined(separator: "\n"), actions: labels,
      hints: hints, replaces: number(on: server) ?? 0)
    return (message, reactions)
  }
}

extension StoredNotification {
  /// The application and the identifier.
  var key: MonitoredKey { MonitoredKey(application: application, identifier: identifier) }
}
