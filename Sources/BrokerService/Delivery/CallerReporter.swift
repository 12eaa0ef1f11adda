// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import OpenSocket
import Systemd

/// The reports to callers while they wait: the outcomes of deliveries, and the progress that applications report.
///
/// Any program on the bus can send progress signals; only those of the connection that received the request are
/// forwarded.
@BrokerActor
final class CallerReporter {
  /// A delivery that an application has.
  private struct Handling {
    /// The connection that may report progress.
    let owner: BusName
    let job: DeliveryJob
    let request: ActiveRequest
    let application: String
    var rate = ProgressRate()
  }

  private let bus: BusConnection
  /// The deliveries that applications have, by the ID that the application received.
  private var handlings: [String: Handling] = [:]

  init(on bus: BusConnection) { self.bus = bus }

  /// Starts to listen for the progress signals of applications.
  func listen() async throws(BusError) {
    let reported = try await bus.signals(Application1Interface.progress)
    BrokerActor.loop.start { [self] in
      for await signal in reported {
        let (id, progress) = signal.values
        forward(id, progress, from: signal.sender)
      }
    }
  }

  /// Reports the outcome of a delivery to the caller.
  func report(_ outcome: Outcome, of request: ActiveRequest, _ application: String?) {
    switch request.caller.reachableEndpoint {
    case .connection(let caller)?:
      bus.emitNow(
        BrokerInterface.progress, from: BrokerInterface.path, to: caller, request.key.id, outcome.rawValue,
        application ?? "")
    case .peer(let peer)?: if outcome == .unknown { peer.send(OpenAnswer.uncertain.rawValue) }
    case nil: break
    }
  }

  /// Reports to the caller that a prompt about its request is shown.
  func reportPrompt(about request: ActiveRequest) {
    switch request.caller.reachableEndpoint {
    case .connection(let caller)?:
      bus.emitNow(BrokerInterface.prompting, from: BrokerInterface.path, to: caller, request.key.id)
    case .peer(let peer)?: peer.send(OpenAnswer.prompting.rawValue)
    case nil: break
    }
  }

  /// Accepts the progress of a delivery from now on, from the connection `owner` that receives it.
  func begin(_ job: DeliveryJob, of request: ActiveRequest, by application: String, at owner: BusName) {
    handlings[job.envelope.requestID] = Handling(
      owner: owner, job: job, request: request, application: application)
  }

  /// Accepts no more progress of the delivery `id`, which has ended.
  func end(_ id: String) { handlings[id] = nil }

  /// Forwards the progress that `sender` reports, if it has the request, the report is valid, and the rate permits it.
  private func forward(_ id: String, _ entries: [String: Variant], from sender: BusName) {
    guard let handling = handlings[id], handling.owner == sender,
      let progress = try? RequestProgress(entries)
    else { return }
    // Every report names the request as one that is being handled; an empty one does nothing else.
    handling.job.recipient?.hasNamedRequest = true
    guard progress != RequestProgress(), handling.request.options.wait == .handled,
      handling.job.outcome.reported == nil, handlings[id]?.rate.take(at: .now) == true,
      // A caller that is disconnected needs no progress.
      let caller = handling.request.caller.reachableEndpoint?.connection
    else { return }
    bus.emitNow(
      BrokerInterface.handling, from: BrokerInterface.path, to: caller, handling.request.key.id,
      handling.application, progress.entries)
  }
}
