// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Testing

/// Serves a mock of the broker, which gives the same answer about each permission and accepts all events for applications.
///
/// - Returns: The payloads of the events.
func serveBroker(
  on bus: BusConnection, _ answer: @escaping @Sendable () async -> PermissionStatus
) async throws -> AsyncStream<PropertyList> {
  let (payloads, accepted) = AsyncStream<PropertyList>.makeStream()
  try await bus.export(
    BusObject(
      BrokerInterface.path,
      [
        .method(BrokerInterface.requestPermission) { _, _, _, _ async throws(BusError) in
          await answer().rawValue
        },
        .method(BrokerInterface.open) { _, _, options async throws(BusError) in
          if let payload = (try? OpenOptions(options))?.payload { accepted.yield(payload) }
          return [:]
        },
      ]))
  #expect(try await bus.requestName(BrokerInterface.busName) == .owned)
  return payloads
}
