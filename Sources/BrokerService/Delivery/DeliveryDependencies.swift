// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop

/// The objects that all deliveries share.
struct DeliveryDependencies {
  let bus: BusConnection
  let programs: ProgramDeliveries
  let journal: RequestJournal
  let quotas: QuotaTracker
  let identification: CallerIdentification
  let files: FileThread
  let environment: SessionEnvironment
  let reports: DeliveryReports
  let registrations: SchemeRegistrations
  let commands: RouteCommandJobs
  let shutdown: DeliveryShutdown
}

/// The end of all deliveries of this broker, which leaves those that wait to the next one.
@BrokerActor
final class DeliveryShutdown {
  /// A Boolean value that indicates whether nothing more may be sent.
  private(set) var hasBegun = false

  /// Lets nothing more be sent.
  func begin() { hasBegun = true }
}

extension ApplicationInstance {
  /// Creates the instance of an application, for its deliveries.
  convenience init(_ id: ApplicationID, _ dependencies: DeliveryDependencies) {
    self.init(
      id, on: dependencies.bus, identifyingBy: dependencies.identification,
      introspectionTimeout: dependencies.journal.limits.introspection)
  }
}
