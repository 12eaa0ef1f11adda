// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Logging
import Systemd

/// The notification server of the desktop: what it can do, and what the user does with the notifications that it shows.
///
/// Desktop Notifications Specification 1.3; `NotificationReplied` is KDE's extension `inline-reply`.
@BrokerActor
final class NotificationServer {
  /// An event of the server.
  enum Event: Sendable {
    /// A server owns the name now, instead of an earlier one.
    case appeared
    /// No server owns the name, or one that is not trusted.
    case vanished
    /// The user chose an action. With an activation token, the application may come to the front.
    case invoked(UInt32, key: String, token: String?)
    /// The user entered a text.
    case replied(UInt32, text: String, token: String?)
    /// The notification is no longer shown.
    case closed(UInt32, ClosingReason)
  }

  /// The reason why a notification is no longer shown.
  enum ClosingReason: UInt32, Sendable {
    case expired = 1
    case dismissed
    case closed
    case undefined
  }

  /// A notification as the server shows it.
  struct Message: Sendable {
    var applicationName: String
    var icon: String
    var summary: String
    var body: String
    /// The key and the label of each action.
    var actions: [(key: String, label: String)]
    var hints: [String: Variant]
    /// The number of the notification to replace; 0 for none.
    var replaces: UInt32
  }

  /// The key of the action with a text field.
  static let inlineReply = "inline-reply"

  private static let notificationReplied = BusSignal<Arguments<UInt32, String>>(
    "NotificationReplied", of: NotificationsInterface.name, carries: ["id", "text"])

  private let bus: BusConnection
  /// Returns whether the process of a connection may be in a sandbox.
  private let mayBeSandboxed: @BrokerActor (BusName) async -> Bool
  private let log: Logger
  /// The unique name of the current server; `nil` while no server runs, and while its process may be in a sandbox.
  ///
  /// A sandboxed program could take the name, read the notifications of other applications and act on them in place of the user.
  private(set) var owner: BusName?
  /// The number of reports of the bus about the owner of the name.
  private var reports = 0
  /// The last owner of the name whose process may be in a sandbox.
  private var sandboxedServer: BusName?
  private var known: (owner: BusName, capabilities: Set<String>)?
  private var tokens: [UInt32: String] = [:]
  /// The calls of `Notify` that the current server has not answered.
  private var calls: Set<Task<Result<UInt32, BusError>, Never>> = []
  private var handle: (Event) -> Void = { _ in }

  convenience init(on bus: BusConnection, identification: SourceIdentification, log: Logger) {
    self.init(on: bus, log: log) { await identification.mayBeSandboxed($0) }
  }

  init(
    on bus: BusConnection, log: Logger, mayBeSandboxed: @escaping @BrokerActor (BusName) async -> Bool
  ) {
    self.bus = bus
    self.log = log
    self.mayBeSandboxed = mayBeSandboxed
  }

  /// Finds the current server, and starts to report events.
  func start(_ handle: @escaping (Event) -> Void) async throws(BusError) {
    self.handle = handle
    let (server, loop) = (NotificationsInterface.server, bus.loop)
    // The rules name the well-known name, so that the signals of other connections are never received.
    let tokens = try await bus.signals(
      NotificationsInterface.activationToken, from: server.name, at: server.path)
    let invoked = try await bus.signals(
      NotificationsInterface.actionInvoked, from: server.name, at: server.path)
    let replied = try await bus.signals(Self.notificationReplied, from: server.name, at: server.path)
    let closed = try await bus.signals(
      NotificationsInterface.notificationClosed, from: server.name, at: server.path)
    let owners = try await bus.owners(of: server.name)
    if let found = try await bus.owner(of: server.name), await isTrusted(found) { owner = found }
    loop.start {
      for await signal in tokens where signal.sender == self.owner {
        self.tokens[signal.values.0] = signal.values.1
      }
    }
    loop.start {
      for await signal in invoked where signal.sender == self.owner {
        let (id, key) = signal.values
        self.handle(.invoked(id, key: key, token: self.tokens.removeValue(forKey: id)))
      }
    }
    loop.start {
      for await signal in replied where signal.sender == self.owner {
        let (id, text) = signal.values
        self.handle(.replied(id, text: text, token: self.tokens.removeValue(forKey: id)))
      }
    }
    loop.start {
      for await signal in closed where signal.sender == self.owner {
        let (id, reason) = signal.values
        // A server closes a notification after an action on it. The two signals are read by separate tasks, and the action must
        // be handled first.
        loop.start {
          guard signal.sender == self.owner else { return }
          self.tokens[id] = nil
          self.handle(.closed(id, ClosingReason(rawValue: reason) ?? .undefined))
        }
      }
    }
    loop.start { for await found in owners { await self.ownerReported(found) } }
  }

  /// Examines the owner of the name that the bus has reported, unless it is the current server.
  private func ownerReported(_ found: BusName?) async {
    reports += 1
    let before = owner
    guard found != before else { return }
    var next: BusName?
    if let found, await isTrusted(found) { next = found }
    // `running` may have found this server, or a later one, in the meantime.
    guard owner == before else { return }
    change(to: next)
  }

  private func change(to owner: BusName?) {
    guard owner == nil || owner != self.owner else { return }
    self.owner = owner
    tokens = [:]
    // A server that was replaced may run on, and never answer.
    for call in calls { call.cancel() }
    handle(owner == nil ? .vanished : .appeared)
  }

  private func isTrusted(_ server: BusName) async -> Bool {
    // Each time, because a file that did not respond in time may respond later.
    guard await mayBeSandboxed(server) else { return true }
    if server != sandboxedServer { log.warning("\(Self.sandboxed)") }
    sandboxedServer = server
    return false
  }

  private static let sandboxed =
    "no notification is shown, because the owner of the bus name \(NotificationsInterface.name) may be in a sandbox"

  /// Returns whether a server runs, trusted or not.
  func isRunning() async -> Bool {
    let found = try? await bus.owner(of: NotificationsInterface.server.name)
    return found != nil
  }

  /// Returns the object of the server, which the bus starts if necessary.
  private func running(starts: Bool = true) async throws(BusError) -> RemoteObject {
    let server = NotificationsInterface.server
    if owner == nil, starts {
      _ = try await bus.call(BusDaemon.startServiceByName, at: .bus, server.name.rawValue, 0)
    }
    while true {
      if let owner { return RemoteObject(owner, server.path) }
      guard let found = try await bus.owner(of: server.name) else {
        throw BusError(.serviceUnknown, "no notification server runs")
      }
      let isTrusted = await isTrusted(found)
      // The server may have exited or been replaced while it was examined, and the report of that may have been handled already.
      let before = reports
      guard try await bus.owner(of: server.name) == found, reports == before else { continue }
      guard isTrusted else { throw BusError(.accessDenied, Self.sandboxed) }
      change(to: found)
      return RemoteObject(found, server.path)
    }
  }

  /// Returns the capabilities of the server, which the bus starts if necessary.
  func capabilities() async throws(BusError) -> Set<String> {
    if let known, known.owner == owner { return known.capabilities }
    let server = try await running()
    let capabilities = Set(
      try await bus.call(NotificationsInterface.getCapabilities, at: server, timeout: .seconds(10)))
    known = (server.name, capabilities)
    return capabilities
  }

  /// Shows a notification, and returns its number and the unique name of the server.
  ///
  /// The call lasts until the server answers, exits or is replaced.
  func show(_ message: Message, capabilities: Set<String>) async throws(BusError) -> (
    number: UInt32, server: BusName
  ) {
    let body = NotificationsInterface.body(message.body, takesMarkup: capabilities.contains("body-markup"))
    let server = try await running()
    let actions =
      capabilities.contains("actions") ? message.actions.flatMap { [$0.key, $0.label] } : []
    // Without a list of earlier notifications, one that disappears by itself would never be seen by a user who is away.
    let expiry: Int32 = capabilities.contains("persistence") ? -1 : 0
    let call = bus.loop.start { [bus] () async -> Result<UInt32, BusError> in
      do throws(BusError) {
        // A server that answers late has shown it: a second call would show it twice, and its number would stay unknown.
        return .success(
          try await bus.call(
            NotificationsInterface.notify, at: server, message.applicationName, message.replaces,
            message.icon, message.summary, body, actions, message.hints, expiry, timeout: nil))
      } catch {
        return .failure(error)
      }
    }
    calls.insert(call)
    defer { calls.remove(call) }
    let number = try await call.value.get()
    return (number, server.name)
  }

  /// Removes a notification without waiting.
  func closeLater(_ number: UInt32) {
    bus.loop.start {
      guard let server = try? await self.running(starts: false) else { return }
      // The server may have removed it already.
      _ = try? await self.bus.call(
        NotificationsInterface.closeNotification, at: server, number, timeout: .seconds(10))
    }
  }
}
