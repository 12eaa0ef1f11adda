// SPDX-License-Identifier: Apache-2.0
/// The recipients of reports about deliveries.
struct DeliveryReports {
  let history: HistoryWriter
  let monitors: MonitorHub
  /// The reports to the callers that wait.
  let reporter: CallerReporter
  /// The notifications of the user about failures that no caller receives.
  let failures: FailureNotifier
}
