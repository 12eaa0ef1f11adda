// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Logging
import State
import Systemd
import Triggers

/// The delivered notifications: it shows them, again after the server was restarted, and handles what the user does.
@BrokerActor
final class Presenter {
  /// A delivered notification.
  private struct Notification {
    var stored: StoredNotification
    let request: NotificationRequest
    /// The actions by the keys that the server reports.
    var actions: [String: NotificationCategory.Action] = [:]
    /// Indicates whether the user's removal is reported to the application.
    var hasDismissAction = false
    /// Indicates whether the current server shows it.
    var isShown = false
    /// Indicates whether it is being shown, which includes the questions to the broker and the application.
    var isShowing = false
    /// Indicates whether the call `Notify` is in progress.
    var isCalling = false
    /// Indicates whether it was shown by this daemon or an earlier one, so that it makes no further sound.
    var wasShown = false
    /// Indicates whether this daemon has set its badge.
    var hasSetBadge = false
    /// Indicates whether the last attempt to show it has failed, which is in the log.
    var hasFailed = false
  }

  /// The time before the first attempt to show a notification again, and before later ones.
  private static let (shortestPause, longestPause) = (Duration.seconds(5), Duration.seconds(300))
  /// The maximum number of events that wait for the number of a notification.
  private static let maximumEarly = 1_000

  private let server: NotificationServer
  private let sender: ResponseSender
  private let permission: ApplicationPermission
  private let identification: SourceIdentification
  private let facts: ApplicationFacts
  private let badges: BadgeService
  private let file: TriggerFile
  private let log: Logger
  private let atStep: (@Sendable () -> Void)?
  private var notifications: [String: Notification] = [:]
  /// The IDs in the order in which the notifications were due.
  private var order: [String] = []
  /// The notifications that are still on the screen, by the IDs of those that will replace them.
  private var superseded: [String: Notification] = [:]
  /// Events of notifications whose numbers are not known yet.
  private var early: [NotificationServer.Event] = []
  /// The number of servers that have appeared.
  private var generation = 0
  private var retry: LoopTimer?
  private var pause = shortestPause
  /// Called after a notification was removed.
  var removed: () -> Void = {}

  /// - Parameter atStep: Called immediately before and after each call of the server.
  init(
    server: NotificationServer, sender: ResponseSender, permission: ApplicationPermission,
    identification: SourceIdentification, facts: ApplicationFacts, badges: BadgeService, file: TriggerFile,
    log: Logger, atStep: (@Sendable () -> Void)?
  ) {
    self.server = server
    self.sender = sender
    self.permission = permission
    self.identification = identification
    self.facts = facts
    self.badges = badges
    self.file = file
    self.log = log
    self.atStep = atStep
  }

  /// A Boolean value that is `true` if there is no delivered notification.
  var isIdle: Bool { notifications.isEmpty }

  /// The IDs of the applications with delivered notifications.
  var applications: Set<String> { Set(notifications.values.map(\.stored.application)) }

  /// Reads the notifications of an earlier daemon, and shows them.
  func load() throws(BusError) {
    for stored in try file.use({ store throws(StateError) in try store.notifications() }) {
      guard let request = try? NotificationRequest(stored: PropertyList(json: stored.request)) else {
        log.error("a stored notification of \(stored.application) cannot be read, and is removed")
        file.attempt { store throws(StateError) in try store.removeNotifications([stored.id]) }
        if let number = stored.number, stored.server == server.owner?.rawValue { server.closeLater(number) }
        continue
      }
      var notification = Notification(stored: stored, request: request)
      notification.wasShown = stored.number != nil
      notifications[stored.id] = notification
      order.append(stored.id)
    }
    for id in order { present(id) }
  }

  /// Returns the delivered notifications of an application, the newest first.
  func delivered(of application: String) -> [(request: NotificationRequest, date: WallTime)] {
    order.reversed().compactMap { notifications[$0] }.filter {
      $0.stored.application.isSpelt(like: application)
    }
    .map { ($0.request, WallTime(milliseconds: $0.stored.date)) }
  }

  /// Stores a notification as due, with the new anchor of its trigger, and shows it.
  ///
  /// - Parameters:
  ///   - state: The new state of its trigger, if that has a region.
  ///   - isOfUser: Whether the user created it, and not the application.
  func deliver(
    _ request: NotificationRequest, of application: String, date: WallTime, anchor: WallTime?,
    state: RegionState? = nil, isOfUser: Bool
  ) throws(BusError) {
    try deliver(request, of: application, date: date, isOfUser: isOfUser) {
      store, notification throws(StateError) in
      try store.deliver(notification, anchor: anchor?.milliseconds, state: state?.rawValue)
      return true
    }
  }

  /// Stores a push, and shows the notification in it, if there is one.
  ///
  /// - Returns: `false` if the message of the push was stored before.
  func receive(
    _ push: StoredPush, showing request: NotificationRequest?, isOfUser: Bool
  ) throws(BusError) -> Bool {
    let horizon = BackgroundStarts.horizon(at: WallTime(milliseconds: push.date)).milliseconds
    guard let request else {
      return try file.use { store throws(StateError) in
        try store.receive(push, showing: nil, countingStartsSince: horizon)
      }
    }
    return try deliver(
      request, of: push.application, date: WallTime(milliseconds: push.date), isOfUser: isOfUser
    ) { store, notification throws(StateError) in
      try store.receive(push, showing: notification, countingStartsSince: horizon)
    }
  }

  /// Stores a notification by `store`, and shows it.
  ///
  /// - Parameter store: Stores it and what belongs to it, and returns whether it is new.
  /// - Returns: `false` if it was stored before.
  @discardableResult
  private func deliver(
    _ request: NotificationRequest, of application: String, date: WallTime, isOfUser: Bool,
    by store: (TriggerStore, StoredNotification) throws(StateError) -> Bool
  ) throws(BusError) -> Bool {
    var stored = StoredNotification(
      id: RequestID.random(), application: application, identifier: request.identifier,
      request: request.propertyList.json, date: date.milliseconds, isOfUser: isOfUser)
    let key = stored.key
    let replaced = notifications.values.first { $0.stored.key == key }
    stored.number = replaced?.stored.number
    stored.server = replaced?.stored.server
    let new = stored
    let isNew = try file.use { file throws(StateError) in try store(file, new) }
    guard isNew else { return false }
    if let replaced {
      let earlier = superseded.removeValue(forKey: replaced.stored.id)
      superseded[stored.id] = isOnScreen(replaced) ? replaced : earlier
      forget(replaced.stored.id)
    }
    notifications[stored.id] = Notification(stored: stored, request: request)
    order.append(stored.id)
    let own = order.filter { notifications[$0]?.stored.application.isSpelt(like: application) == true }
    remove(own.dropLast(NotificationLimits.delivered))
    present(stored.id)
    return true
  }

  /// Removes the delivered notifications of an application; `nil` removes all.
  func remove(_ identifiers: [String]?, of application: String) throws(BusError) {
    let wanted = Set(notifications.values.map(\.stored.key).of(application, named: identifiers))
    let ids = order.filter { id in notifications[id].map { wanted.contains($0.stored.key) } ?? false }
    guard !ids.isEmpty else { return }
    try file.use { store throws(StateError) in try store.removeNotifications(ids) }
    for id in ids { close(id) }
    removed()
  }

  /// Removes everything of an application, after it was removed from the file.
  func forgetAll(of application: String) {
    for id in order where notifications[id]?.stored.application.isSpelt(like: application) == true {
      close(id)
    }
  }

  /// Removes a notification from the file and from the server.
  private func remove(_ ids: some Sequence<String>) {
    let ids = Array(ids)
    guard !ids.isEmpty else { return }
    file.attempt { store throws(StateError) in try store.removeNotifications(ids) }
    for id in ids { close(id) }
    removed()
  }

  /// Forgets a notification, and closes it on the server, or the one there that it was to replace.
  private func close(_ id: String) {
    let earlier = superseded.removeValue(forKey: id)
    for case let notification? in [forget(id), earlier] where isOnScreen(notification) {
      if let number = notification.stored.number { server.closeLater(number) }
    }
  }

  /// Returns whether the current server shows a notification, as this daemon or an earlier one has requested.
  private func isOnScreen(_ notification: Notification) -> Bool {
    notification.wasShown && notification.stored.number != nil
      && notification.stored.server == server.owner?.rawValue
  }

  @discardableResult
  private func forget(_ id: String) -> Notification? {
    order.removeAll { $0 == id }
    return notifications.removeValue(forKey: id)
  }

  // MARK: Showing

  private func present(_ id: String) {
    guard notifications[id]?.isShowing == false else { return }
    notifications[id]?.isShowing = true
    EventLoop.shared.start {
      var generation = 0
      repeat {
        generation = self.generation
        await self.decideAndShow(id)
        // Another server may have started in the meantime.
      } while self.generation != generation && self.notifications[id]?.isShown == false
      self.notifications[id]?.isShowing = false
      self.replayEarlyEvents()
    }
  }

  private func decideAndShow(_ id: String) async {
    guard let notification = notifications[id] else { return }
    let (application, content) = (notification.stored.application, notification.request.content)
    guard
      await permission.permits(
        application, isOfUser: notification.stored.isOfUser,
        wasChecked: notification.request.remotePayload == nil)
    else {
      log.notice("a notification of \(application) is not shown, because the user does not allow it")
      return remove([id])
    }
    let presentation = await presentation(of: notification)
    guard notifications[id] != nil else { return }
    if !notification.hasSetBadge, presentation.contains("badge"), let badge = content.badge,
      facts.uses("badge", application)
    {
      // Later attempts to show the notification leave the number that the application has set since.
      notifications[id]?.hasSetBadge = true
      do throws(BusError) {
        try await badges.set(badge, of: application)
      } catch {
        log.error("\(error.message)")
      }
    }
    guard content.isShown, presentation.contains("banner") || presentation.contains("list"),
      facts.uses("alert", application)
    else { return remove([id]) }
    await show(id, presentation)
  }

  /// Returns how a notification is shown, as its application decides while it runs.
  private func presentation(of notification: Notification) async -> [String] {
    if let decided = notification.stored.presentation {
      return decided.split(separator: " ").map(String.init)
    }
    let (stored, everything) = (notification.stored, ["banner", "list", "sound", "badge"])
    let wanted = await sender.offer(
      notification.request, date: WallTime(milliseconds: stored.date), id: stored.id, to: stored.application)
    let presentation = wanted.map { wanted in everything.filter(wanted.contains) } ?? everything
    let text = presentation.joined(separator: " ")
    file.attempt { store throws(StateError) in try store.setPresentation(text, of: stored.id) }
    notifications[stored.id]?.stored.presentation = text
    return presentation
  }

  private func show(_ id: String, _ presentation: [String]) async {
    do throws(BusError) {
      let capabilities = try await server.capabilities()
      guard let application = notifications[id]?.stored.application else { return }
      let entry: DesktopEntry? =
        if let application = ApplicationID(rawValue: application) {
          await identification.entry(of: application)
        } else { nil }
      let message = prepareMessage(
        of: id, entry: entry, presentation: presentation, capabilities: capabilities)
      guard let message, var shown = notifications[id] else { return }
      notifications[id]?.isCalling = true
      defer { notifications[id]?.isCalling = false }
      atStep?()
      let (number, owner) = try await server.show(message, capabilities: capabilities)
      atStep?()
      (shown.isShown, shown.wasShown) = (true, true)
      (shown.stored.number, shown.stored.server) = (number, owner.rawValue)
      guard owner == server.owner else { return }
      guard notifications[id] != nil else {
        // It was removed or replaced in the meantime. One that replaces it has no number of its own yet.
        let next = notifications.values.first {
          $0.stored.number == number && $0.stored.server == owner.rawValue
        }
        guard let next else { return server.closeLater(number) }
        if !isOnScreen(next) { superseded[next.stored.id] = shown }
        return
      }
      superseded[id] = nil
      notifications[id]?.isShown = true
      notifications[id]?.wasShown = true
      notifications[id]?.hasFailed = false
      pause = Self.shortestPause
      notifications[id]?.stored.number = number
      notifications[id]?.stored.server = owner.rawValue
      file.attempt { store throws(StateError) in
        try store.setShown(id, number: number, server: owner.rawValue)
      }
    } catch {
      if notifications[id]?.hasFailed == false {
        log.warning("a notification cannot be shown yet: \(error.message)")
      }
      notifications[id]?.hasFailed = true
      retryLater()
    }
  }

  /// Tries to show again, after a pause, what the server has not shown.
  ///
  /// A server that starts is reported, but not one that recovers, nor one that can be examined only later.
  private func retryLater() {
    guard retry == nil else { return }
    retry = LoopTimer(on: .shared, after: pause) { [weak self] in
      EventLoop.shared.start {
        guard let self else { return }
        self.retry = nil
        self.pause = min(self.pause * 2, Self.longestPause)
        guard await self.server.isRunning() else { return }
        for id in self.order where self.notifications[id]?.isShown == false { self.present(id) }
      }
    }
  }

  /// Returns what the server shows, and stores the keys of the actions.
  private func prepareMessage(
    of id: String, entry: DesktopEntry?, presentation: [String], capabilities: Set<String>
  ) -> NotificationServer.Message? {
    guard let notification = notifications[id] else { return nil }
    let (stored, content) = (notification.stored, notification.request.content)
    let name = entry?.name() ?? stored.application
    let category = facts.categories(of: stored.application).first {
      $0.identifier == content.categoryIdentifier
    }
    var hints: [String: Variant] = [
      "desktop-entry": .string(stored.application),
      "urgency": .byte(presentation.contains("banner") ? 1 : 0),
      // After a crash between showing and storing the number, servers that know these hints replace the notification.
      "x-dunst-stack-tag": .string(stored.id), "x-canonical-private-synchronous": .string(stored.id),
    ]
    let sound =
      presentation.contains("sound") && facts.uses("sound", stored.application) ? content.sound : nil
    if let sound, !notification.wasShown {
      hints["sound-name"] = .string(sound == "default" ? "message-new-instant" : sound)
    } else {
      hints["suppress-sound"] = .boolean(true)
    }
    var actions: [(key: String, label: String)] = [(NotificationCategory.defaultAction, "Open")]
    var keys: [String: NotificationCategory.Action] = [:]
    let offered = category?.actions ?? content.actions
    for (action, ownKey) in zip(offered, NotificationsInterface.actionKeys(offered.count)) {
      // The server has one text field.
      let hasField = action.hasTextInput && capabilities.contains(NotificationServer.inlineReply)
      let isField = hasField && keys[NotificationServer.inlineReply] == nil
      let key = isField ? NotificationServer.inlineReply : ownKey
      keys[key] = action
      actions.append((key, action.title))
      guard isField else { continue }
      if let text = action.placeholder { hints["x-kde-reply-placeholder-text"] = .string(text) }
      if let text = action.buttonTitle { hints["x-kde-reply-submit-button-text"] = .string(text) }
    }
    notifications[id]?.actions = keys
    notifications[id]?.hasDismissAction = category?.hasCustomDismissAction ?? false
    let isOfServer = stored.server != nil && stored.server == server.owner?.rawValue
    return NotificationServer.Message(
      applicationName: name, icon: entry?.icon() ?? "", summary: content.title ?? name,
      body: [content.subtitle, content.body].compactMap(\.self).joined(separator: "\n"), actions: actions,
      hints: hints, replaces: isOfServer ? stored.number ?? 0 : 0)
  }

  // MARK: Events

  /// Handles an event of the server.
  func handle(_ event: NotificationServer.Event) {
    switch event {
    case .appeared:
      generation += 1
      pause = Self.shortestPause
      forgetScreen()
      for id in order { present(id) }
    case .vanished:
      forgetScreen()
      if !isIdle { retryLater() }
    case .invoked(let number, let key, let token):
      guard let notification = findOrDefer(number, of: event) else { return }
      guard key != NotificationCategory.defaultAction else {
        return respond(NotificationReaction(action: key), to: notification, token: token)
      }
      guard let action = notification.actions[key] else { return }
      respond(
        NotificationReaction(action: action.identifier), to: notification,
        token: action.isForeground ? token : nil)
    case .replied(let number, let text, let token):
      guard let notification = findOrDefer(number, of: event),
        let action = notification.actions[NotificationServer.inlineReply]
      else { return }
      respond(
        NotificationReaction(action: action.identifier, text: text), to: notification,
        token: action.isForeground ? token : nil)
    case .closed(let number, let reason):
      guard var notification = findOrDefer(number, of: event) else { return }
      let id = notification.stored.id
      (notification.isShown, notification.stored.number) = (false, nil)
      if notifications[id] != nil { notifications[id] = notification } else { forgetSuperseded(number) }
      if reason == .dismissed, notification.hasDismissAction {
        respond(
          NotificationReaction(action: NotificationCategory.dismissAction), to: notification, token: nil)
      } else {
        remove([id])
      }
    }
  }

  /// Forgets what the last server has shown, and its events, because the next one numbers notifications again.
  private func forgetScreen() {
    for id in order { notifications[id]?.isShown = false }
    superseded = [:]
    early = []
  }

  /// Returns the notification that the user sees under a number, or defers its event.
  ///
  /// An event may precede the reply with the number, which is then handled later. Until the call `Notify`, it concerns the
  /// notification that will be replaced.
  private func findOrDefer(_ number: UInt32, of event: NotificationServer.Event) -> Notification? {
    let shown = notifications.values.first { $0.isShown && $0.stored.number == number }
    if let shown { return shown }
    if let (id, notification) = superseded.first(where: { $0.value.stored.number == number }) {
      guard notifications[id]?.isCalling == true else { return notification }
      // The keys of buttons are those of one notification.
      if case .invoked(_, let key, _) = event, notification.actions[key] != nil { return notification }
    }
    // One of an earlier daemon is handled when it has its actions again.
    if notifications.values.contains(where: { $0.isCalling || isOnScreen($0) && $0.stored.number == number })
    {
      if early.count == Self.maximumEarly { early.removeFirst() }
      early.append(event)
    }
    return nil
  }

  private func replayEarlyEvents() {
    let events = early
    early = []
    for event in events { handle(event) }
  }

  private func respond(_ response: NotificationReaction, to notification: Notification, token: String?) {
    let id = notification.stored.id
    let stored = ResponseSender.response(
      response, to: notification.request, notification.stored, token: token)
    // If it cannot be stored, it is sent nevertheless; only a crash would lose it.
    file.attempt { store throws(StateError) in try store.respond(to: id, stored) }
    if notifications[id] != nil {
      close(id)
    } else if let number = notification.stored.number, forgetSuperseded(number) {
      server.closeLater(number)
    }
    sender.send(stored)
  }

  /// Forgets a notification that the user has answered or closed before its replacement was shown.
  ///
  /// The replacement then gets a number of its own.
  ///
  /// - Returns: `false` if the other one is being shown in its place already.
  @discardableResult
  private func forgetSuperseded(_ number: UInt32) -> Bool {
    guard let id = superseded.first(where: { $0.value.stored.number == number })?.key else { return false }
    superseded[id] = nil
    guard notifications[id]?.isCalling == false else { return false }
    notifications[id]?.stored.number = nil
    return true
  }
}

extension StoredNotification {
  fileprivate var key: MonitoredKey { MonitoredKey(application: application, identifier: identifier) }
}
