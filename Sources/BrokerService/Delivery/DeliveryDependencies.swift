// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import DBus
import Freedesktop
import Launching

/// The objects that all deliveries share.
struct DeliveryDependencies {
  let bus: BusConnection
  let launcher: ProgramLauncher
  let runtimeDirectory: String?
  let journal: RequestJournal
  let quotas: QuotaTracker
  let identification: CallerIdentification
  let files: FileThread
  let starts: ProgramStarts
  let environment: SessionEnvironment
  let history: HistoryWriter
  let monitors: MonitorHub
  let reporter: CallerReporter
  let failures: FailureNotifier
  let registrations: SchemeRegistrations
  let commands: RouteCommandJobs
  let shutdown: DeliveryShutdown

  /// Returns the delivery to programs of an application, or of a route if it is `nil`.
  @BrokerActor
  func programs(of application: TargetApplication?, named name: String) -> ProgramDelivery {
    ProgramDelivery(
      launcher: launcher, starts: starts, runtimeDirectory: runtimeDirectory, application: application,
      name: name)
  }
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
