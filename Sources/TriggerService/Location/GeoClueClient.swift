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
  private static let maxRestarts = 5

  private let loop: EventLoop
  private let address: BusAddress
  private let log: Logger
  private(set) var status = LocationServiceStatus.off {
    didSet {
      // Every start waits for the agent for a moment.
      guard status != oldValue, status != .waitingForAgent, let message = status.message else { return }
      log.warning("\(message)")
    }
  }
  private var bus: BusConnection?
  private var socket: FileNameMonitor?
  private var tasks: [Task<Void, Never>] = []
  private var clientTasks: [Task<Void, Never>] = []
  private var client: ObjectPath?
  private var owner: BusName?
  private var isAttempting = false
  private var isConnecting = false
  private var threshold: UInt32 = 0
  private var restarts: [ContinuousClock.Instant] = []
  /// Counts starts and ends, so that what belongs to an earlier start has no effect.
  private var generation = 0
  /// Called with each measurement.
  var measured: (Location) -> Void = { _ in }

  init(on loop: EventLoop, at address: BusAddress = .system, log: Logger) {
    self.loop = loop
    self.address = address
    self.log = log
  }

  // MARK: Need

  /// Creates the client if there is none.
  func start() {
    guard status == .off else { return }
    generation += 1
    status = .starting
    if let path = address.socketPath {
      socket = FileNameMonitor(on: loop, path: path) { [weak self] in
        EventLoop.shared.start { await self?.connect() }
      }
    }
    loop.start { await self.connect() }
  }

  /// Deletes the client, and closes the connection to the system bus.
  func stop() {
    guard status != .off else { return }
    generation += 1
    status = .off
    threshold = 0
    restarts = []
    socket?.cancel()
    socket = nil
    let (bus, client) = (bus, client)
    forget()
    loop.start {
      if let client {
        _ = try? await bus?.call(GeoClue.stop, at: RemoteObject(GeoClue.busName, client), autoStart: false)
        _ = try? await bus?.call(GeoClue.deleteClient, at: GeoClue.manager, client, autoStart: false)
      }
      await bus?.close()
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

  // MARK: System bus

  private func connect() async {
    guard status != .off, bus == nil, !isConnecting else { return }
    isConnecting = true
    defer { isConnecting = false }
    let start = generation
    do throws(BusError) {
      let bus = try await open()
      guard start == generation else { return await bus.close() }
      self.bus = bus
      let events = await bus.events()
      let owners = try await bus.owners(of: GeoClue.busName)
      tasks = [
        loop.start {
          for await event in events where event == .lost { await self.lose(bus) }
        },
        loop.start { for await owner in owners { await self.ownerChanged(to: owner, on: bus) } },
      ]
    } catch {
      guard start == generation else { return }
      forget()
      status = .noBus
    }
  }

  /// Connects; the socket of a bus that starts exists for a moment before the bus accepts connections.
  private func open() async throws(BusError) -> BusConnection {
    let start = generation
    for _ in 0..<5 {
      if let bus = try? await BusConnection.open(address, on: loop, reconnects: false) { return bus }
      guard start == generation, (try? await loop.sleep(for: .milliseconds(200))) != nil else { break }
    }
    return try await BusConnection.open(address, on: loop, reconnects: false)
  }

  private func lose(_ lost: BusConnection) async {
    guard bus === lost else { return }
    forget()
    status = .noBus
    await lost.close()
    // The next bus may have created its socket already.
    await connect()
  }

  private func forget() {
    for task in tasks + clientTasks { task.cancel() }
    (tasks, clientTasks) = ([], [])
    (bus, client, owner) = (nil, nil, nil)
  }

  // MARK: GeoClue

  private func ownerChanged(to new: BusName?, on bus: BusConnection) async {
    let isFirst = status == .starting || status == .noBus
    guard self.bus === bus, new != owner || isFirst else { return }
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
    guard restarts.count < Self.maxRestarts else { return false }
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
    let owner = (try? await bus.owner(of: GeoClue.busName)) ?? nil
    isAttempting = false
    guard self.bus === bus else { return }
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
        case .serviceUnknown, "org.freedesktop.DBus.Error.Spawn.ServiceNotFound":
          return status = .notInstalled
        case .noReply, .disconnected, .nameHasNoOwner, .unknownObject, .unknownMethod:
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
