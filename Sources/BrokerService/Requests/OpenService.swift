// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import RouteTables
import Systemd

/// The path of a request: admission, decision, delivery and receipt.
///
/// `Open` on the bus, the standard interface and the open socket all begin here.
@BrokerActor
final class OpenService {
  private let admission: AdmissionQueue
  private let registry: RequestRegistry
  private let decisions: DecisionService
  private let deliveries: DeliveryService
  private let completion: RequestCompletion
  private let recovery: Recovery
  private let journal: RequestJournal
  private let identification: CallerIdentification

  init(
    admission: AdmissionQueue, registry: RequestRegistry, decisions: DecisionService,
    deliveries: DeliveryService, completion: RequestCompletion, recovery: Recovery, journal: RequestJournal,
    identification: CallerIdentification
  ) {
    self.admission = admission
    self.registry = registry
    self.decisions = decisions
    self.deliveries = deliveries
    self.completion = completion
    self.recovery = recovery
    self.journal = journal
    self.identification = identification
  }

  /// Opens URLs for a caller, and returns the receipt.
  func open(
    _ urls: [String], _ options: [String: Variant], for endpoint: CallerEndpoint
  ) async throws(BusError) -> Receipt {
    try await start(urls, options, for: endpoint).value.get()
  }

  /// Starts to open URLs for a caller, or returns the receipt of the existing request with the same ID.
  ///
  /// - Throws: The reason why nothing was started.
  func start(
    _ texts: [String], _ entries: [String: Variant], for endpoint: CallerEndpoint
  ) async throws(BusError) -> PendingReceipt {
    let arrival = ContinuousClock.now
    let (identified, ticket) = try await admission.admit(
      endpoint, urlCount: texts.count, size: texts.reduce(entries.size) { $0 + $1.utf8.count },
      readsEnvironment: entries[OpenOptions.sessionKey] == nil)
    do throws(BusError) {
      let process = try identified.get()
      let (options, urls) = try RequestDecoder.request(texts, entries)
      let caller = try process.context(of: options)
      guard let scope = caller.scope ?? endpoint.scope else {
        throw BusError(.accessDenied, "cannot identify the caller; use the D-Bus interface instead")
      }
      if caller.facts == nil, options.requestID != nil, !options.isFirstAttempt,
        await identification.hasExited(endpoint)
      {
        // The next instance of the caller repeats the request in the scope of its program, which cannot be known any more.
        throw BusError(.cancelled, "the caller exited before it was identified; nothing was opened")
      }
      // The request may repeat a stored one, which its digest and the registry show only if the store is open.
      if !recovery.isComplete { await recovery.completeIfPossible() }
      let request = ActiveRequest(
        urls, entries, options: options, from: caller, scope: scope, at: endpoint, arrived: arrival,
        journal: journal)
      if let receipt = try registry.repeated(by: request) {
        if !receipt.isKnown { try ticket.charge(asRepetition: true) }
        ticket.release()
        // The message of the call remains in memory until its reply.
        BrokerActor.loop.start {
          _ = await receipt.value
          ticket.end(isBeyondLimit: false)
        }
        return receipt
      }
      try ticket.charge()
      return registry.begin(request) { () async throws(BusError) in
        try await self.carryOut(request, urls, from: caller, admitted: ticket)
      }
    } catch {
      ticket.end(isBeyondLimit: error.brokerError == .tooMany)
      throw error
    }
  }

  /// Cancels a request of the caller.
  func cancel(_ id: String, for sender: BusName) async throws(BusError) {
    // The caller's Open call may have arrived just before and may not be admitted yet.
    let ticket = try admission.enter(.connection(sender))
    defer { ticket.release() }
    let facts = try await admission.callers.facts(of: sender)
    try admission.count(ticket, for: ChargedCaller(facts))
    await admission.waitForTurn(of: ticket)
    registry.cancel(RequestKey(caller: facts?.scope ?? sender.rawValue, id: id))
  }

  private func carryOut(
    _ request: ActiveRequest, _ urls: [URLString], from caller: CallerContext,
    admitted ticket: AdmissionTicket
  ) async throws(BusError) -> Receipt {
    let (source, handles) = try await decideAndStart(request, urls, from: caller, admitted: ticket)
    return try await completion.receipt(of: request, handles, substitutes: [], from: source)
  }

  /// Decides a request by the current policy and starts its deliveries.
  ///
  /// The policy is released on return, so that a waiting request does not keep it in memory.
  private func decideAndStart(
    _ request: ActiveRequest, _ urls: [URLString], from caller: CallerContext,
    admitted ticket: AdmissionTicket
  ) async throws(BusError) -> (SourceApplication, [DeliveryHandle]) {
    var handles: [DeliveryHandle] = []
    defer { ticket.end(isBeyondLimit: handles.contains(where: \.isBeyondLimit)) }
    if let text = request.options.fallback { _ = try RequestDecoder.urls([text]) }
    let planned: PlannedRequest
    do throws(BusError) {
      planned = try await decisions.decide(urls, for: request, from: caller) {
        ticket.release()
      } timedOut: { [registry] error in
        // This task still waits for a disk, and drops what it gets.
        ticket.end(isBeyondLimit: false)
        registry.abandon(request, with: error)
      }
    } catch {
      request.left?.end()
      if request.hasCallerLeft, error.brokerError == .timeout {
        deliveries.endExpired(
          request.pending([], from: .unknown), request, askingAbout: urls.map(\.text), from: .unknown,
          because: error.message)
      }
      journal.removeNow(request.number)
      throw error
    }
    handles = deliveries.start(planned, for: request, request.options, after: [])
    return (planned.request.caller.source, handles)
  }
}
