import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import RouteTables
import Systemd

/// The path of a request: admission, decision, delivery and receipt.
///
/// `Open` on the bus, the standard interface and the open socket all begin here.
@BrokerActor
final class OpenService {
  private let admission: AdmissionQueue
  private let registry: RequestRegistry
  private let policy: PolicyService
  private let decisions: DecisionService
  private let deliveries: DeliveryService
  private let completion: RequestCompletion
  private let recovery: Recovery
  private let journal: RequestJournal
  private let identification: CallerIdentification
  /// The redirect chains, and the rate limits of sources.
  private var loopDetector = LoopDetector()
  private var rates = RateLimiter()
  private var hopCounter = HopCounter()

  init(
    admission: AdmissionQueue, registry: RequestRegistry, policy: PolicyService, decisions: DecisionService,
    deliveries: DeliveryService, completion: RequestCompletion, recovery: Recovery, journal: RequestJournal,
    identification: CallerIdentification
  ) {
    self.admission = admission
    self.registry = registry
    self.policy = policy
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
    _ urls: [String], _ options: [String: Variant], for endpoint: CallerEndpoint
  ) async throws(BusError) -> PendingReceipt {
    let arrival = ContinuousClock.now
    let (caller, ticket) = try await admission.admit(endpoint)
    do throws(BusError) {
      return try begin(
        urls, options, from: try caller.get(), at: endpoint, arrived: arrival, admitted: ticket)
    } catch {
      let isBeyondLimit = error.brokerError == .tooMany
      ticket.release(after: AdmissionTicket.delay(afterURLs: urls.count, isBeyondLimit: isBeyondLimit))
      throw error
    }
  }

  /// Cancels a request of the caller.
  func cancel(_ id: String, for sender: BusName) async throws(BusError) {
    // The caller's Open call may have arrived just before and may not be admitted yet.
    let previous = admission.last(of: .connection(sender))
    let facts = try await identification.facts(of: sender)
    await previous?.value
    registry.cancel(RequestKey(caller: facts?.scope ?? sender.rawValue, id: id))
  }

  /// Registers an admitted request, unless it repeats another one.
  private func begin(
    _ texts: [String], _ entries: [String: Variant], from caller: CallerContext, at endpoint: CallerEndpoint,
    arrived arrival: ContinuousClock.Instant, admitted ticket: AdmissionTicket
  ) throws(BusError) -> PendingReceipt {
    let options = try RequestDecoder.options(entries)
    let urls = try RequestDecoder.urls(texts, for: options)
    guard let scope = caller.scope ?? endpoint.scope else {
      throw BusError(.accessDenied, "cannot identify the caller; use the D-Bus interface instead")
    }
    let key = RequestKey(caller: scope, id: options.requestID ?? RequestID.random())
    // Without an ID from the caller, the request cannot be repeated.
    let digest =
      options.requestID == nil ? [] : ActiveRequest.digest(of: urls, entries, secret: journal.key)
    if let receipt = try registry.repeated(key, digest: digest, by: endpoint) {
      ticket.release()
      return receipt
    }
    guard !options.isAgain else {
      throw BusError(
        BrokerErrorName.timeout, "the broker no longer knows the request \(key.id); the outcome is unknown")
    }
    let request = ActiveRequest(
      key: key, number: journal.nextNumber(), digest: digest, options: options, endpoint: endpoint,
      charged: caller.charged, deadline: BootClock.after(options.timeout - (.now - arrival)),
      expires: BootClock.after(max(journal.limits.lifetime, options.timeout)))
    try admission.charge(urls, of: caller.charged)
    return registry.begin(request) { () async throws(BusError) in
      try await self.carryOut(request, urls, from: caller, admitted: ticket)
    }
  }

  private func carryOut(
    _ request: ActiveRequest, _ urls: [URLString], from caller: CallerContext,
    admitted ticket: AdmissionTicket
  ) async throws(BusError) -> Receipt {
    let (source, handles): (SourceApplication, [DeliveryHandle])
    do throws(BusError) {
      (source, handles) = try await decideAndStart(request, urls, from: caller, admitted: ticket)
    } catch {
      ticket.release()
      throw error
    }
    let isBeyondLimit = handles.contains { $0.known.error == BrokerErrorName.tooMany.errorName }
    ticket.release(after: AdmissionTicket.delay(afterURLs: urls.count, isBeyondLimit: isBeyondLimit))
    return try await completion.receipt(of: request, handles, from: source)
  }

  /// Decides a request by the current policy and starts its deliveries.
  ///
  /// The policy is released on return, so that a waiting request does not keep it in memory.
  private func decideAndStart(
    _ request: ActiveRequest, _ urls: [URLString], from caller: CallerContext,
    admitted ticket: AdmissionTicket
  ) async throws(BusError) -> (SourceApplication, [DeliveryHandle]) {
    defer { admission.release(urls, of: request.charged) }
    let options = request.options
    if let text = options.fallback { _ = try RequestDecoder.urls([text]) }
    let current = await policy.current(in: caller.environment)
    let claim = await policy.id(spelled: options.sourceApplication, in: current)
    let source = await policy.source(of: caller.facts, claim: claim, in: current)
    if !recovery.isComplete { await recovery.completeIfPossible() }
    var asked = try await decisions.openRequest(urls, from: source, options, by: current)
    if source.mayBeSandboxed {
      asked.sandbox = await policy.source(of: caller.facts, in: current).id
      request.sandbox = asked.sandbox
    }
    // The rate is checked before the decision, so that rejected requests cost little.
    guard isWithinRate(asked, request) else {
      return (source, deliveries.start(.tooOften(asked), for: request, options, by: current))
    }
    asked.hops = hopCounter.hops(of: asked, token: options.activationToken, at: .now)
    request.hops = asked.hops
    // A request that waits for a slow file system or a prompt is overtaken, so that it does not delay others.
    let decided = await decisions.decide(asked, by: current) { ticket.release() }
    guard request.expires > BootClock.now else {
      throw BusError(
        .timeout,
        "cannot decide, because route or desktop files could not be read in time; nothing was opened")
    }
    let (answered, newest) = await decisions.answer(decided, for: request, by: current) { ticket.release() }
    guard !request.isWithdrawn else {
      throw BusError(.cancelled, "the request was withdrawn while the user was asked")
    }
    let groups = loopDetector.follow(answered.groups, of: answered.request, at: .now)
    let planned = PlannedRequest(request: answered.request, groups: groups)
    return (source, deliveries.start(planned, for: request, options, by: newest))
  }

  /// Counts the URLs of a request against the rate limit of its source, if it has one; returns `false` if they exceed
  /// it.
  private func isWithinRate(_ asked: OpenRequest, _ request: ActiveRequest) -> Bool {
    // Forwarded requests count even after a user activation.
    guard request.options.hops > 0 || asked.source.mayBeSandboxed else { return true }
    // An unverified name could change with each request, or consume the rate of another application.
    let isVerified = ![.claimed, .unknown].contains(asked.source.assurance)
    let source = isVerified ? asked.questioner?.rawValue : nil
    return rates.take(source ?? request.charged.text, links: asked.urls.count, at: .now)
  }
}

extension PlannedRequest {
  /// Returns the decision for a request beyond the rate of its source.
  fileprivate static func tooOften(_ asked: OpenRequest) -> PlannedRequest {
    let refusal = Refusal.tooOften(source: asked.questioner?.rawValue ?? "an unknown program")
    return PlannedRequest(
      request: asked, groups: [RequestGroup(urls: asked.urls, verdict: .refuse(refusal))])
  }
}
