// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Logging
import State
import Systemd
import Triggers

/// Requests to the broker: due notifications for running applications, and events, such as the user's response to a notification.
///
/// An event is stored and sent again under its ID until the broker has accepted it.
@BrokerActor
final class EventSender {
  private let bus: BusConnection
  private let file: TriggerFile
  private let log: Logger
  private let atStep: (@Sendable () -> Void)?
  private var waiting: [StoredEvent] = []
  /// The applications whose events are being sent, each in order; an event for one does not wait for those for another.
  private var receivers: Set<String> = []
  /// Called after the last waiting event for an application was removed.
  var finished: () -> Void = {}

  /// - Parameter atStep: Called immediately before and after each call of the broker.
  init(on bus: BusConnection, file: TriggerFile, log: Logger, atStep: (@Sendable () -> Void)?) {
    self.bus = bus
    self.file = file
    self.log = log
    self.atStep = atStep
  }

  /// A Boolean value that is `true` if no event waits.
  var isIdle: Bool { waiting.isEmpty }

  /// Sends the events of an earlier daemon, which may have exited before it removed their notifications.
  ///
  /// - Parameter close: Removes the notification with a number from the server with a unique bus name.
  func load(closing close: (_ number: UInt32, _ server: String) -> Void) throws(BusError) {
    waiting = try file.use { store throws(StateError) in try store.events() }
    for event in waiting {
      guard let content = try? PropertyList(json: event.content), let server = content["server"]?.string,
        let number = content["number"]?.integer.flatMap(UInt32.init(exactly:))
      else { continue }
      close(number, server)
    }
    sendAll()
  }

  /// Sends an event after those before it for its application.
  func send(_ event: StoredEvent) {
    waiting.append(event)
    sendAll()
  }

  /// Returns the number of waiting events of one kind; `nil` counts those of all applications.
  func count(of kind: String, for application: String?) -> Int {
    waiting.count { $0.kind == kind && (application.map($0.application.isSpelt) ?? true) }
  }

  /// Drops the events of an application that was removed.
  func forget(_ application: String) { waiting.removeAll { $0.application.isSpelt(like: application) } }

  /// Offers a due notification to a running application, and returns how the application wants it to be shown.
  ///
  /// - Returns: Some of `banner`, `list`, `sound` and `badge`; `nil` if no running instance has handled it.
  func offer(
    _ request: NotificationRequest, date: WallTime, id: String, to application: String
  ) async -> [String]? {
    guard let name = BusName(application), await bus.hasOwner(name) else { return nil }
    var options = Self.options(for: application, request.reason, id: "notification-\(id)-0")
    options.payload = request.payload(date: date)
    options.targetContentID = request.content.targetContentID
    options.wait = .handled
    options.timeout = Self.offerTimeout
    options.launch = false
    atStep?()
    let receipt = try? await bus.call(
      BrokerInterface.open, at: BrokerInterface.broker, [], options.entries,
      timeout: Self.offerTimeout + .seconds(2))
    atStep?()
    guard let receipt, let delivery = (try? Receipt(receipt))?.deliveries.first, delivery.outcome == .handled
    else { return nil }
    return delivery.value?["presentation"]?.array?.compactMap(\.string)
  }

  /// The time in which an application decides how a notification is shown.
  private static let offerTimeout = Duration.seconds(1) * TestFaults.waitingFactor

  private static func options(for application: String, _ reason: LaunchReason, id: String) -> OpenOptions {
    var options = OpenOptions()
    options.target = application
    options.reason = reason
    options.requestID = id
    return options
  }

  /// Returns the event of a user's response to a notification.
  ///
  /// - Parameter token: Allows the application to come to the front; `nil` if the server sent no token.
  static func event(
    of response: NotificationReaction, to request: NotificationRequest, _ notification: StoredNotification,
    token: String?
  ) -> StoredEvent {
    let date = WallTime(milliseconds: notification.date)
    var content: [String: PropertyList] = ["payload": request.payload(date: date, response: response)]
    content["reason"] = .string(request.reason.rawValue)
    content["number"] = notification.number.map { .integer(Int64($0)) }
    content["server"] = notification.server.map { .string($0) }
    content["token"] = token.map { .string($0) }
    content["target-content-id"] = request.content.targetContentID.map { .string($0) }
    return StoredEvent(
      id: "notification-\(notification.id)-1", application: notification.application,
      content: PropertyList.dictionary(content).json)
  }

  private func sendAll() {
    for application in waiting.map(\.application) where receivers.insert(application).inserted {
      bus.loop.start { await self.sendAll(to: application) }
    }
  }

  private func sendAll(to application: String) async {
    var backoff = Backoff()
    // Like `receivers`, it does not compare bytes: one task sends to all applications whose IDs are equal strings.
    while let next = waiting.first(where: { $0.application == application }) {
      let failure = await send(next)
      guard let failure, failure.isTransient else {
        file.attempt { store throws(StateError) in try store.removeEvent(next.id) }
        waiting.removeAll { $0.id == next.id }
        backoff.reset()
        continue
      }
      if failure.needsOtherID { renew(next) }
      try? await bus.loop.sleep(for: backoff.next())
    }
    receivers.remove(application)
    finished()
  }

  /// Gives an event that was not delivered another ID.
  private func renew(_ event: StoredEvent) {
    let new = "\(event.kind)-\(RequestID.random())"
    guard file.attempt({ store throws(StateError) in try store.renew(event: event.id, as: new) }) else {
      return
    }
    for index in waiting.indices where waiting[index].id == event.id { waiting[index].id = new }
  }

  /// Sends an event, and returns the reason if the broker has not accepted it.
  private func send(_ event: StoredEvent) async -> OpenFailure? {
    guard let content = try? PropertyList(json: event.content) else {
      log.error("a stored event for \(event.application) cannot be read, and is removed")
      return .rejected
    }
    let reason = content["reason"]?.string.map(LaunchReason.init(rawValue:)) ?? .localNotification
    var options = Self.options(for: event.application, reason, id: event.id)
    options.payload = content["payload"]
    options.activationToken = content["token"]?.string
    options.targetContentID = content["target-content-id"]?.string
    options.wait = .accepted
    do throws(BusError) {
      atStep?()
      _ = try await bus.call(
        BrokerInterface.open, at: BrokerInterface.broker, [], options.entries)
      atStep?()
      return nil
    } catch {
      let failure = OpenFailure(error)
      if failure == .rejected || failure == .failed {
        let content =
          switch reason {
          case .location: "a change of the location"
          case .bluetoothCentrals: "an event of a Bluetooth device"
          case .bluetoothPeripherals: "an operation of a Bluetooth device"
          case .newsstandDownloads: "the outcome of a download"
          default: "the user's response to a notification"
          }
        log.error("\(event.application) did not receive \(content): \(error.message)")
      }
      return failure
    }
  }
}

extension StoredEvent {
  /// The beginning of its ID, such as `location`.
  var kind: Substring { id.prefix { $0 != "-" } }

  /// Creates an event with a new ID, which begins with `kind`.
  init(_ kind: String, to application: String, _ reason: LaunchReason, payload: PropertyList) {
    self.init(
      id: "\(kind)-\(RequestID.random())", application: application,
      content: PropertyList.dictionary(["reason": .string(reason.rawValue), "payload": payload]).json)
  }
}
