// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Triggers

/// Requests to applications for values that are not stored, for devices that read them.
///
/// A read is not stored: a device that gets no value in time gets an error, and reads again.
@BrokerActor
final class BluetoothReads {
  /// The time in which the application answers, started or not; BlueZ itself waits for five seconds.
  private static let timeout = Duration.seconds(4)

  private let bus: BusConnection
  /// The number of reads in progress of each application.
  private var running: [String: Int] = [:]

  init(on bus: BusConnection) { self.bus = bus }

  /// Returns the whole value for a read.
  func value(
    _ event: BluetoothPeripheralEvent, of application: String, at date: WallTime
  ) async throws(BluetoothAttributeError) -> [UInt8] {
    guard running[application, default: 0] < BluetoothLimits.readsOfApplication,
      running.values.reduce(0, +) < BluetoothLimits.reads
    else { throw .unlikelyError }
    running[application, default: 0] += 1
    defer {
      running[application, default: 1] -= 1
      if running[application] == 0 { running[application] = nil }
    }
    var options = OpenOptions()
    options.target = application
    options.reason = .bluetoothPeripherals
    options.requestID = "peripheral-\(RequestID.random())"
    options.payload = event.payload(date: date)
    options.wait = .handled
    options.timeout = Self.timeout
    let receipt = try? await bus.call(
      BrokerInterface.open, at: BrokerInterface.broker, [], options.entries, timeout: Self.timeout)
    guard let receipt, let delivery = (try? Receipt(receipt))?.deliveries.first, delivery.outcome == .handled,
      let value = delivery.value?["value"]?.data, value.count <= BluetoothLimits.value
    else { throw .unlikelyError }
    return value
  }
}
