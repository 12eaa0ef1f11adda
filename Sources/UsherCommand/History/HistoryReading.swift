// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

extension BlockingBusConnection {
  /// Returns the last `limit` entries of the broker's history, the newest first, in as many calls as their size needs.
  func history(
    limit: UInt32, since: PointInTime? = nil, until: PointInTime? = nil
  ) throws(BusError) -> [[String: Variant]] {
    var options: [String: Variant] = [:]
    options["since"] = since.map { .uint64($0.microseconds) }
    options["until"] = until.map { .uint64($0.microseconds) }
    var entries: [[String: Variant]] = []
    repeat {
      options["limit"] = .uint32(limit - UInt32(entries.count))
      entries += try call(BrokerInterface.history, at: BrokerInterface.broker, options)
      guard !entries.isEmpty else { break }
      options["before"] = entries[entries.count - 1].removeValue(forKey: "next")
    } while options["before"] != nil && entries.count < limit
    return entries
  }
}
