// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Logging
import Systemd
import Triggers

/// The daemon's client of GeoClue, which exists only while an application monitors locations.
///
/// It has a connection to the system bus only then. A service that vanishes, refuses or cannot be reached is tried again when its
/// name gets another owner, or when the socket of the bus appears; there is no timer that asks.
@BrokerActor
final class GeoClueClient {
  /// The number of times in a minute that GeoClue is started again after it exited.
  private static let maximumRestarts = 5

  private let loop: EventLoop
  private let service: SystemService
  private let log: Logger
  private(set) var status = LocationServiceStatus.off {
    didSet {
      // Every start waits for the agent for a moment.
      guard status != oldValue, status != .waitingForAgent, let message = status.message else { return }
      log.warning("\(message)")
    }
  }
  private var bus: BusConnection?
  private var clientTasks: [Task<Void, Never>] = []
  private var client: ObjectPath?
  private var owner: BusName?
  private var isAttempting = false
  private var threshold: UInt32 = 0
  private var restarts: [ContinuousClock.Instant] = []
  /// Called with each measurement.
  var measured: (Location) -> Void = { _ in }

  init(on loop: EventLoop, at address: BusAddress = .system, log: Logger) {
    self.loop = loop
    self.log = log
    service = SystemService(GeoClue.busName, on: loop, at: address)
    service.changed = { [weak self] state in await self?.serviceChanged(to: state) }
  }

  // MARK: Need

  /// Creates the client if there is none.
  func start() {
    guard status == .off else { return }
    status = .starting
    service.start()
  }

  /// Deletes the client, and closes the connection to the system bus.
  func stop() {
    guard status != .off else { return }
    status = .off
    threshold = 0
    restarts = []
    let client = client
    forget()
    service.stop { bus in
      guard let client else { return }
      _ = try? await bus.call(GeoClue.stop, at: RemoteObject(GeoClue.busName, client), autoStart: false)
      _ = try? await bus.call(GeoClue.deleteClient, at: GeoClue.manager, client, autoStart: false)
    }
  }

  /// Sets the distance between two measurements that GeoClue reports, in metres.
  func setThreshold(_ metres: UInt32) {
    guard metres != threshold else { return }
    threshold = metres
    guard let bus, let client else { return }
    loop.start {
      // The call fails if GeoClue exits, and the next client gets the value at its start.
      try? await bus.set(GeoClue.distanceThreshold, to: metres, at: RemoteObject(GeoClue.busName, client))
    }
  }

  private func forget() {
    forgetClient()
    (bus, owner) = (nil, nil)
  }

  // MARK: GeoClue

  private func serviceChanged(to state: SystemService.State) async {
    guard status != .off else { return }
    switch state {
    case .noBus:
      forget()
      status = .noBus
    case .absent(let bus): await ownerChanged(to: nil, on: bus)
    case .present(let bus, let owner): await ownerChanged(to: owner, on: bus)
    }
  }

  private func ownerChanged(to new: BusName?, on bus: BusConnection) async {
    let isFirst = status == .starting || status == .noBus
    self.bus = bus
    guard new != owner || isFirst else { return }
    let hadClient = client != nil
    if owner != nil { forgetClient() }
    owner = new
    if new == nil {
      // A client that was refused has not kept GeoClue running, so its exit is no reason to ask again.
      guard isFirst || hadClient else { return }
    }
    // An attempt in progress has started this owner, or fails with the end of the earlier one.
    guard !isAttempting else {
      if new != nil, client == nil { status = .waitingForAgent }
      return
    }
    guard isFirst || new != nil || mayRestart() else { return status = .failed(.noReply) }
    loop.start { await self.attempt(on: bus) }
  }

  private func mayRestart() -> Bool {
    let now = ContinuousClock.now
    restarts.removeAll { now - $0 > .seconds(60) }
    guard restarts.count < Self.maximumRestarts else { return false }
    restarts.append(now)
    return true
  }

  private func forgetClient() {
    for task in clientTasks { task.cancel() }
    (clientTasks, client) = ([], nil)
  }

  /// Creates and starts a client, and again if GeoClue exits meanwhile.
  private func attempt(on bus: BusConnection) async {
    guard self.bus === bus, client == nil, !isAttempting else { return }
    isAttempting = true
    await tryClients(on: bus)
    // The owner that the attempt has started is no reason for another one.
    let owner = try? await bus.owner(of: GeoClue.busName)
    isAttempting = false
    guard self.bus === bus else {
      // A bus that was connected during the attempt has waited for its end.
      if let next = self.bus { loop.start { await self.attempt(on: next) } }
      return
    }
    self.owner = owner
    guard status == .active, owner == nil || client == nil else { return }
    // GeoClue has exited immediately after the start.
    forgetClient()
    guard mayRestart() else { return status = .failed(.noReply) }
    loop.start { await self.attempt(on: bus) }
  }

  private func tryClients(on bus: BusConnection) async {
    while true {
      do throws(BusError) {
        return try await createClient(on: bus)
      } catch {
        guard self.bus === bus else { return }
        let created = client
        forgetClient()
        if let created {
          _ = try? await bus.call(GeoClue.deleteClient, at: GeoClue.manager, created, autoStart: false)
        }
        guard self.bus === bus else { return }
        switch error.name {
        case .accessDenied: return status = .denied
        case _ where error.busFailure == .serviceUnknown, "org.freedesktop.DBus.Error.Spawn.ServiceNotFound":
          return status = .notInstalled
        case _ where error.isExitOfService, .unknownObject, .unknownMethod:
          guard mayRestart() else { return status = .failed(error.name) }
        default: return status = .failed(error.name)
        }
      }
    }
  }

  private func createClient(on bus: BusConnection) async throws(BusError) {
    status = owner == nil ? .starting : .waitingForAgent
    let path = try await bus.call(GeoClue.getClient, at: GeoClue.manager, timeout: nil)
    guard self.bus === bus else { return }
    client = path
    let object = RemoteObject(GeoClue.busName, path)
    let updates = try await bus.signals(GeoClue.locationUpdated, from: GeoClue.busName, at: path)
    let changes = try await bus.signals(
      PropertiesInterface.propertiesChanged, from: GeoClue.busName, at: path)
    guard self.bus === bus else { return }
    clientTasks = [
      loop.start {
        for await update in updates { await self.read(update.values.1, of: path, on: bus) }
      },
      loop.start {
        for await change in changes {
          guard case .boolean(let isActive)? = change.values.1["Active"] else { continue }
          await self.activityChanged(isActive, of: path)
        }
      },
    ]
    try await bus.set(GeoClue.desktopID, to: GeoClue.ownDesktopID, at: object)
    try await bus.set(GeoClue.accuracyLevel, to: GeoClue.exact, at: object)
    try await bus.set(GeoClue.distanceThreshold, to: threshold, at: object)
    // The agent may ask the user, who has any time to answer.
    try await bus.call(GeoClue.start, at: object, timeout: nil, autoStart: false)
    guard self.bus === bus else { return }
    guard client == path else { throw BusError(.noReply, "GeoClue has exited") }
    status = .active
    // GeoClue reports no location that it knew before.
    if let location = try? await bus.get(GeoClue.location, at: object, autoStart: false) {
      await read(location, of: path, on: bus)
    }
  }

  private func activityChanged(_ isActive: Bool, of path: ObjectPath) async {
    guard client == path, status == .active || status == .stopped else { return }
    status = isActive ? .active : .stopped
  }

  private func read(_ location: ObjectPath, of path: ObjectPath, on bus: BusConnection) async {
    guard location != "/", client == path,
      let measurement = try? await GeoClue.location(at: location, on: bus), client == path
    else { return }
    measured(measurement)
  }
}
