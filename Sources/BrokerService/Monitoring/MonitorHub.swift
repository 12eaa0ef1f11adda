// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Systemd

/// The monitors of requests, each at the other end of a socket.
@BrokerActor
final class MonitorHub {
  private var monitors: [Monitor] = []
  private var catchingUp: Task<Void, Never>?

  /// Creates a stream of the events from now on, which begins with `greeting`.
  func add(greeting: [String: Variant]) throws(BusError) -> UnixFD {
    monitors.removeAll { $0.isGone }
    guard monitors.count < BrokerLimits.maximumMonitors else {
      throw BusError(
        .tooMany,
        "\(BrokerLimits.maximumMonitors) monitors are connected, which is the limit; stop one of them")
    }
    guard let (monitor, stream) = Monitor.connected() else {
      throw BusError(.failed, "the broker has no file descriptor left for a monitor")
    }
    monitors.append(monitor)
    tell("watching", greeting, to: monitors.indices.suffix(1))
    return stream
  }

  /// Sends a state of a part to all monitors.
  ///
  /// - Parameter entries: Returns the part; called only if there is a monitor.
  func tell(_ state: String, _ entries: () -> [String: Variant]) {
    guard !monitors.isEmpty else { return }
    tell("request", entries().merging(["state": .string(state)]) { $1 }, to: monitors.indices)
  }

  private func tell(_ event: String, _ entries: [String: Variant], to indices: Range<Int>) {
    var entries = entries
    entries["event"] = .string(event)
    entries["time"] = .uint64(UInt64(clamping: BootClock.microsecondsSince1970))
    let line = JSONText.line(entries)
    for index in indices { monitors[index].tell(line) }
    monitors.removeAll(where: \.isClosed)
    catchUp()
  }

  /// Writes the waiting lines of slow monitors until none is behind.
  private func catchUp() {
    guard catchingUp == nil, monitors.contains(where: \.isBehind) else { return }
    catchingUp = BrokerActor.loop.start { [self] in
      while monitors.contains(where: \.isBehind),
        (try? await BrokerActor.loop.sleep(for: .milliseconds(100))) != nil
      {
        for index in monitors.indices { monitors[index].flush() }
        monitors.removeAll(where: \.isClosed)
      }
      catchingUp = nil
    }
  }
}
