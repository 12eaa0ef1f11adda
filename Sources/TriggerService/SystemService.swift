// SPDX-License-Identifier: Apache-2.0
import BrokerService
import DBus
import Systemd

/// A connection to the system bus and the owner of a name on it, which are followed only while a client needs the service.
///
/// A bus that is lost is connected again when its socket appears; there is no timer that asks.
@BrokerActor
final class SystemService {
  /// The reachability of the service.
  enum State: Sendable {
    /// The system bus cannot be reached.
    case noBus
    /// The name has no owner on this bus.
    case absent(BusConnection)
    /// The name has this owner.
    case present(BusConnection, owner: BusName)
  }

  private let loop: EventLoop
  private let address: BusAddress
  private let name: BusName
  private var bus: BusConnection?
  private var socket: FileNameMonitor?
  private var tasks: [Task<Void, Never>] = []
  private var isStarted = false
  private var isConnecting = false
  /// Counts starts and ends, so that what belongs to an earlier start has no effect.
  private var generation = 0
  /// Called with each change, in order; the next change waits until it has returned.
  var changed: (State) async -> Void = { _ in }

  init(_ name: BusName, on loop: EventLoop, at address: BusAddress) {
    self.name = name
    self.loop = loop
    self.address = address
  }

  /// Connects, and follows the owner.
  func start() {
    guard !isStarted else { return }
    isStarted = true
    generation += 1
    if let path = address.socketPath {
      socket = FileNameMonitor(on: loop, path: path) { [weak self] in
        EventLoop.shared.start { await self?.connect() }
      }
    }
    loop.start { await self.connect() }
  }

  /// Closes the connection, after `finish` has made its last calls.
  func stop(_ finish: @escaping @Sendable @BrokerActor (BusConnection) async -> Void) {
    guard isStarted else { return }
    isStarted = false
    generation += 1
    socket?.cancel()
    socket = nil
    let bus = bus
    forget()
    guard let bus else { return }
    loop.start {
      await finish(bus)
      await bus.close()
    }
  }

  private func connect() async {
    guard isStarted, bus == nil, !isConnecting else { return }
    isConnecting = true
    var start: Int
    repeat {
      start = generation
      await connect(start)
      // It may have been stopped and started in the meantime.
    } while isStarted && bus == nil && start != generation
    isConnecting = false
  }

  private func connect(_ start: Int) async {
    do throws(BusError) {
      let bus = try await open(start)
      guard start == generation else { return await bus.close() }
      self.bus = bus
      let events = await bus.events()
      let owners = try await bus.owners(of: name)
      guard start == generation else { return await bus.close() }
      tasks = [
        loop.start {
          for await event in events where event == .lost { await self.lose(bus) }
        },
        loop.start {
          for await owner in owners {
            guard self.bus === bus else { return }
            await self.changed(owner.map { .present(bus, owner: $0) } ?? .absent(bus))
          }
        },
      ]
    } catch {
      guard start == generation else { return }
      forget()
      await changed(.noBus)
    }
  }

  /// Connects; the socket of a bus that starts exists for a moment before the bus accepts connections.
  private func open(_ start: Int) async throws(BusError) -> BusConnection {
    for _ in 0..<5 {
      if let bus = try? await BusConnection.open(address, on: loop, reconnects: false) { return bus }
      guard start == generation, (try? await loop.sleep(for: .milliseconds(200))) != nil else { break }
    }
    return try await BusConnection.open(address, on: loop, reconnects: false)
  }

  private func lose(_ lost: BusConnection) async {
    guard bus === lost else { return }
    forget()
    await changed(.noBus)
    await lost.close()
    // The next bus may have created its socket already.
    await connect()
  }

  private func forget() {
    for task in tasks { task.cancel() }
    (tasks, bus) = ([], nil)
  }
}
