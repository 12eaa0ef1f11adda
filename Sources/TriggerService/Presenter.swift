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
  /// The maximum number of events that wait for the number of a notification.
  private static let maximumEarly = 1_000

  private let server: NotificationServer
  private let sender: EventSender
  private let permission: ApplicationPermission
  private let identification: SourceIdentification
  private let facts: ApplicationFacts
  private let badges: BadgeService
  private let file: TriggerFile
  private let log: Logger
  private let atStep: (@Sendable () -> Void)?
  /// The delivered notifications in the order in which they were due.
  private var notifications: [ShownNotification] = []
  /// Events of notifications whose numbers are not known yet.
  private var early: [NotificationServer.Event] = []
  /// The number of servers that have appeared.
  private var generation = 0
  private var retry: LoopTimer?
  private var backoff = Backoff(from: .seconds(5), upTo: .seconds(300))
  /// Called after a notification was removed.
  var removed: () -> Void = {}

  /// - Parameter atStep: Called immediately before and after each call of the server.
  init(
    server: NotificationServer, sender: EventSender, permission: ApplicationPermission,
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
  var applications: Set<String> { Set(notifications.map(\.stored.application)) }

  /// Reads the notifications of an earlier daemon, and shows them.
  func load() throws(BusError) {
    for stored in try file.use({ store throws(StateError) in try store.notifications() }) {
      // An earlier attempt to load may have ended after this.
      guard !notifications.contains(where: { $0.stored.id == stored.id }) else { continue }
      guard let request = try? NotificationRequest(stored: PropertyList(json: stored.request)) else {
        log.error("a stored notification of \(stored.application) cannot be read, and is removed")
        file.attempt { store throws(StateError) in try store.removeNotifications([stored.id]) }
        if let number = stored.number, stored.server == server.owner?.rawValue { server.closeLater(number) }
        continue
      }
      notifications.append(ShownNotification(stored, request))
    }
    presentAll()
  }

  /// Returns the delivered notifications of an application, the newest first.
  func delivered(of application: String) -> [(request: NotificationRequest, date: WallTime)] {
    notifications(of: application).reversed()
      .map { ($0.request, WallTime(milliseconds: $0.stored.date)) }
  }

  private func notifications(of application: String) -> [ShownNotification] {
    notifications.filter { $0.stored.application.isSpelt(like: application) }
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
    let stored = StoredNotification(
      id: RequestID.random(), application: application, identifier: request.identifier,
      request: request.propertyList.json, date: date.milliseconds, isOfUser: isOfUser)
    let key = stored.key
    let replaced = notifications.first { $0.stored.key == key }
    let notification = ShownNotification(stored, request, replacing: replaced, on: server.owner)
    let isNew = try file.use { file throws(StateError) in try store(file, notification.stored) }
    guard isNew else { return false }
    notifications.removeAll { $0 === replaced }
    notifications.append(notification)
    remove(notifications(of: application).dropLast(NotificationLimits.delivered))
    present(notification)
    return true
  }

  /// Removes the delivered notifications of an application; `nil` removes all.
  func remove(_ identifiers: [String]?, of application: String) throws(BusError) {
    let wanted = Set(notifications.map(\.stored.key).of(application, named: identifiers))
    let chosen = notifications.filter { wanted.contains($0.stored.key) }
    guard !chosen.isEmpty else { return }
    let ids = chosen.map(\.stored.id)
    try file.use { store throws(StateError) in try store.removeNotifications(ids) }
    for notification in chosen { close(notification) }
    removed()
  }

  /// Removes everything of an application, after it was removed from the file.
  func forgetAll(of application: String) {
    for notification in notifications(of: application) { close(notification) }
  }

  /// Removes notifications from the file and from the server.
  private func remove(_ chosen: some Collection<ShownNotification>) {
    guard !chosen.isEmpty else { return }
    let ids = chosen.map(\.stored.id)
    file.attempt { store throws(StateError) in try store.removeNotifications(ids) }
    for notification in chosen { close(notification) }
    removed()
  }

  /// Forgets a notification, and closes it on the server, or the one there that it was to replace.
  private func close(_ notification: ShownNotification) {
    guard isDelivered(notification) else { return }
    notifications.removeAll { $0 === notification }
    if let number = notification.visible(on: server.owner)?.stored.number { server.closeLater(number) }
  }

  /// Returns `false` if a notification was removed or replaced in the meantime.
  private func isDelivered(_ notification: ShownNotification) -> Bool {
    notifications.contains { $0 === notification }
  }

  // MARK: Showing

  private func presentAll() {
    for notification in notifications { present(notification) }
  }

  private func present(_ notification: ShownNotification) {
    guard notification.beginAttempt() else { return }
    EventLoop.shared.start {
      var generation = 0
      repeat {
        generation = self.generation
        await self.decideAndShow(notification)
        notification.endAttempt()
        // Another server may have started in the meantime.
      } while self.generation != generation && self.isDelivered(notification) && notification.beginAttempt()
      self.replayEarlyEvents()
    }
  }

  private func decideAndShow(_ notification: ShownNotification) async {
    guard isDelivered(notification) else { return }
    let (application, content) = (notification.stored.application, notification.request.content)
    guard
      await permission.permits(
        application, isOfUser: notification.stored.isOfUser,
        wasChecked: notification.request.remotePayload == nil)
    else {
      log.notice("a notification of \(application) is not shown, because the user does not allow it")
      return remove([notification])
    }
    let presentation = await presentation(of: notification)
    guard isDelivered(notification) else { return }
    if !notification.hasSetBadge, presentation.contains("badge"), let badge = content.badge,
      facts.uses("badge", application)
    {
      // Later attempts to show the notification leave the number that the application has set since.
      notification.hasSetBadge = true
      do throws(BusError) {
        try await badges.set(badge, of: application)
      } catch {
        log.error("\(error.message)")
      }
    }
    guard content.isShown, presentation.contains("banner") || presentation.contains("list"),
      facts.uses("alert", application)
    else { return remove([notification]) }
    await show(notification, presentation)
  }

  /// Returns how a notification is shown, as its application decides while it runs.
  private func presentation(of notification: ShownNotification) async -> [String] {
    if let decided = notification.presentation { return decided }
    let (stored, everything) = (notification.stored, ["banner", "list", "sound", "badge"])
    let wanted = await sender.offer(
      notification.request, date: WallTime(milliseconds: stored.date), id: stored.id, to: stored.application)
    let presentation = wanted.map { wanted in everything.filter(wanted.contains) } ?? everything
    notification.presentation = presentation
    file.attempt { store throws(StateError) in
      try store.setPresentation(presentation.joined(separator: " "), of: stored.id)
    }
    return presentation
  }

  private func show(_ notification: ShownNotification, _ presentation: [String]) async {
    let application = notification.stored.application
    do throws(BusError) {
      let capabilities = try await server.capabilities()
      guard isDelivered(notification) else { return }
      let entry: DesktopEntry? =
        if let id = ApplicationID(rawValue: application) { await identification.entry(of: id) } else { nil }
      guard isDelivered(notification) else { return }
      let (message, reactions) = notification.message(
        presentation: presentation.filter { $0 != "sound" || facts.uses("sound", application) }, entry: entry,
        categories: facts.categories(of: application), capabilities: capabilities, on: server.owner)
      notification.beginCall(offering: reactions)
      atStep?()
      let (number, owner) = try await server.show(message, capabilities: capabilities)
      atStep?()
      if owner == server.owner { recordShown(notification, as: number, by: owner) }
    } catch {
      if notification.recordFailure(), isDelivered(notification) {
        log.warning("a notification cannot be shown yet: \(error.message)")
      }
      retryLater()
    }
  }

  private func recordShown(_ notification: ShownNotification, as number: UInt32, by owner: BusName) {
    if isDelivered(notification) {
      notification.recordShown(as: number, by: owner)
      backoff.reset()
      file.attempt { store throws(StateError) in
        try store.setShown(notification.stored.id, number: number, server: owner.rawValue)
      }
    } else if let next = notifications.first(where: { $0.number(on: owner) == number }) {
      // It was replaced in the meantime by one that will be shown under its number.
      notification.recordShown(as: number, by: owner)
      next.recordPredecessor(notification)
    } else {
      // It was removed, or replaced by one that gets a number of its own.
      server.closeLater(number)
    }
  }

  /// Tries to show again, after a pause, what the server has not shown.
  ///
  /// A server that starts is reported, but not one that recovers, nor one that can be examined only later.
  private func retryLater() {
    guard retry == nil else { return }
    retry = LoopTimer(on: .shared, after: backoff.next()) { [weak self] in
      EventLoop.shared.start {
        guard let self else { return }
        self.retry = nil
        guard await self.server.isRunning() else { return }
        self.presentAll()
      }
    }
  }

  // MARK: Events

  /// Handles an event of the server.
  func handle(_ event: NotificationServer.Event) {
    switch event {
    case .appeared:
      generation += 1
      backoff.reset()
      forgetScreen()
      presentAll()
    case .vanished:
      forgetScreen()
      if !isIdle { retryLater() }
    case .invoked(let number, _, _), .replied(let number, _, _):
      guard let notification = target(of: event, under: number) else { return hold(event, under: number) }
      if let (reaction, token) = notification.reaction(to: event) {
        respond(reaction, to: notification, token: token)
      }
    case .closed(let number, _):
      guard let notification = target(of: event, under: number) else { return hold(event, under: number) }
      notification.recordClosed()
      if let (reaction, token) = notification.reaction(to: event) {
        respond(reaction, to: notification, token: token)
      } else {
        successor(of: notification)?.forgetPredecessor()
        remove([notification])
      }
    }
  }

  /// Forgets what the last server has shown, and its events, because the next one numbers notifications again.
  private func forgetScreen() {
    for notification in notifications { notification.recordEndOfServer() }
    early = []
  }

  /// Returns the notification that the user has seen under a number.
  private func target(of event: NotificationServer.Event, under number: UInt32) -> ShownNotification? {
    for notification in notifications {
      if let target = notification.target(of: event, under: number) { return target }
    }
    return nil
  }

  /// Holds an event without a target, if it may get one.
  private func hold(_ event: NotificationServer.Event, under number: UInt32) {
    guard notifications.contains(where: { $0.mayBecomeTarget(under: number, on: server.owner) }) else {
      return
    }
    if early.count == Self.maximumEarly { early.removeFirst() }
    early.append(event)
  }

  private func replayEarlyEvents() {
    let events = early
    early = []
    for event in events { handle(event) }
  }

  private func respond(_ response: NotificationReaction, to notification: ShownNotification, token: String?) {
    let stored = EventSender.event(
      of: response, to: notification.request, notification.stored, token: token)
    // If it cannot be stored, it is sent nevertheless; only a crash would lose it.
    file.attempt { store throws(StateError) in try store.respond(to: notification.stored.id, stored) }
    close(notification)
    if let number = successor(of: notification)?.forgetPredecessor() { server.closeLater(number) }
    sender.send(stored)
  }

  /// Returns the notification that will be shown in place of another.
  private func successor(of notification: ShownNotification) -> ShownNotification? {
    notifications.first { $0.predecessor === notification }
  }
}
