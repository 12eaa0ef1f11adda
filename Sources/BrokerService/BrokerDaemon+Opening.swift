import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import OpenSocket
import RouteTables
import Systemd

extension BrokerDaemon {
  /// Opens URLs for `requester`, and returns the receipt.
  func open(
    _ urls: [String], _ options: [String: Variant], for requester: CallerEndpoint
  ) async throws(BusError) -> Receipt {
    try await admitted(urls, options, for: requester).value.get()
  }

  /// Starts to open URLs for `requester`, or returns the existing request with the same ID.
  ///
  /// - Throws: The reason why nothing was started.
  func admitted(
    _ urls: [String], _ options: [String: Variant], for requester: CallerEndpoint
  ) async throws(BusError) -> PendingReceipt {
    let arrival = ContinuousClock.now
    let (caller, admission) = try await admission(of: requester)
    return try admit(urls, options, requester, caller, arrival, admission)
  }

  /// Returns the error of a requester that must wait before its next call; `nil` if it need not wait.
  func obstacle(to requester: CallerEndpoint) -> BusError? {
    admissions.obstacle(to: requester).map {
      BusError(.tooMany, "\($0); wait until some are answered")
    }
  }

  /// Waits for the turn of a requester's call, and for the identification of its caller.
  ///
  /// - Returns: The caller, and the ticket that must be ended to admit the next request.
  func admission(
    of requester: CallerEndpoint
  ) async throws(BusError) -> (Result<CallerContext, BusError>, AdmissionTicket) {
    if let obstacle = obstacle(to: requester) { throw obstacle }
    let place = admissions.enter(requester) {
      look(at: requester)
    } leave: { [self] in
      assumeIsolated { $0.admissions.leave(requester) }
    }
    let caller = await place.caller.value
    await place.previous?.value
    return (caller, await turn(of: caller, place.admission))
  }

  /// Waits until the earlier requests of the caller on all its connections are admitted.
  ///
  /// - Returns: The ticket that admits the next requests of the connection and the caller.
  private func turn(of caller: Result<CallerContext, BusError>, _ admission: AdmissionTicket) async
    -> AdmissionTicket
  {
    guard let charged = try? caller.get().charged else { return admission }
    let (previous, turn) = admissions.takeTurn(of: charged) { [self] own in
      assumeIsolated { $0.admissions.endTurn(of: charged, own) }
    }
    await previous?.value
    return admission.and(turn)
  }

  /// Returns the existing request if this is a repetition, and otherwise starts a new one.
  private func admit(
    _ urls: [String], _ entries: [String: Variant], _ requester: CallerEndpoint,
    _ caller: Result<CallerContext, BusError>, _ arrival: ContinuousClock.Instant,
    _ admission: AdmissionTicket
  ) throws(BusError) -> PendingReceipt {
    do throws(BusError) {
      let caller = try caller.get()
      let options = try read(entries)
      let urls = try checked(urls, for: options)
      let id = options.requestID ?? RequestID.random()
      guard let scope = caller.scope ?? requester.scope else {
        throw BusError(.accessDenied, "cannot identify the caller; use the D-Bus interface instead")
      }
      let key = RequestKey(caller: scope, id: id)
      // Without an ID from the caller, the request cannot be repeated.
      let digest = options.requestID == nil ? [] : RequestEntry.digest(urls, entries, ledgerKey)
      if let record = requests[key] {
        guard record.digest == digest else {
          throw BusError(.invalidRequest, "a request \(id) with different content already exists")
        }
        requests[key]?.requester = requester
        admission.end()
        return record.result
      }
      guard !options.isAgain else {
        throw BusError(
          BrokerErrorName.timeout,
          "the broker no longer knows the request \(id); the outcome is unknown")
      }
      let request = ActiveRequest(
        id: id, key: key, number: journal.assumeIsolated { $0.number() }, digest: digest, options: options,
        requester: requester, charged: caller.charged,
        deadline: BootClock.after(options.timeout - (.now - arrival)),
        expires: BootClock.after(max(journal.limits.lifetime, options.timeout)))
      try takeRoom(for: urls, caller.charged)
      begin(request) { () async throws(BusError) in
        try await self.carryOut(request, urls, caller, admission)
      }
      return try result(of: key)
    } catch {
      end(
        admission, after: AdmissionTicket.rest(urls: urls.count, isBeyondLimit: error.brokerError == .tooMany)
      )
      throw error
    }
  }

  /// Ends an admission after a delay in which other callers have their turns.
  private func end(_ admission: AdmissionTicket, after rest: Duration) {
    guard rest > .zero else { return admission.end() }
    loop.start { [loop] in
      try? await loop.sleep(for: rest)
      admission.end()
    }
  }

  /// Charges the undecided URLs of a request to its caller.
  private func takeRoom(for urls: [URLString], _ caller: ChargedCaller) throws(BusError) {
    let amount = max(1, urls.count)
    switch admissions.undecided.shortage(of: amount, for: caller.text) {
    case .full?:
      throw BusError(
        .tooMany,
        "\(admissions.undecided.capacity) URLs of all callers are waiting for a decision; try again later")
    case .part(let held)?:
      throw BusError(
        .tooMany,
        "\(held) URLs of this caller are waiting for a decision; wait until some are answered")
    case nil: admissions.undecided.hold(amount, for: caller.text)
    }
  }

  private func result(of key: RequestKey) throws(BusError) -> PendingReceipt {
    guard let record = requests[key] else { throw BusError(.failed, "the request no longer exists") }
    return record.result
  }

  /// Registers a request and starts its task.
  func begin(
    _ request: ActiveRequest,
    _ body: @escaping @Sendable () async throws(BusError) -> Receipt
  ) {
    let task = loop.start { () async -> Result<Receipt, BusError> in
      let result: Result<Receipt, BusError>
      do throws(BusError) { result = .success(try await body()) } catch { result = .failure(error) }
      self.loop.submitAfterwards {
        self.assumeIsolated { $0.end(request, with: result) }
      }
      return result
    }
    requests[request.key] = RequestEntry(
      digest: request.digest, number: request.number, result: .awaited(task),
      requester: request.requester)
  }

  /// Records the result of a request after the caller has received it.
  private func end(_ request: ActiveRequest, with result: Result<Receipt, BusError>) {
    record(result, of: request.id)
    requests[request.key]?.result = .known(result)
    keepAnswered(request)
  }

  private func carryOut(
    _ request: ActiveRequest, _ urls: [URLString], _ caller: CallerContext,
    _ admission: AdmissionTicket
  ) async throws(BusError) -> Receipt {
    let (source, ways): (SourceApplication, [DeliveryHandle])
    do throws(BusError) {
      (source, ways) = try await handOver(request, urls, caller, admission)
    } catch {
      admission.end()
      throw error
    }
    let isBeyondLimit = ways.contains { $0.known.error == BrokerErrorName.tooMany.errorName }
    end(admission, after: AdmissionTicket.rest(urls: urls.count, isBeyondLimit: isBeyondLimit))
    return try await conclude(request, await wait(for: ways, request), source)
  }

  /// Decides a request by the current policy and starts its deliveries.
  ///
  /// The policy is released on return, so that a waiting request does not keep it in memory.
  private func handOver(
    _ request: ActiveRequest, _ urls: [URLString], _ caller: CallerContext,
    _ admission: AdmissionTicket
  ) async throws(BusError) -> (SourceApplication, [DeliveryHandle]) {
    defer { admissions.undecided.release(max(1, urls.count), for: request.charged.text) }
    let options = request.options
    if let text = options.fallback { _ = try checked([text]) }
    let rules = await rules(in: caller.environment)
    let source = await source(
      of: caller.facts, claim: await id(spelled: options.sourceApplication, rules), rules)
    if !isRecovered { await recoverIfPossibleNow() }
    var asked = try await openRequest(urls, source, options, rules)
    if source.mayBeSandboxed {
      asked.sandbox = await self.source(of: caller.facts, rules).id
      requests[request.key]?.sandbox = asked.sandbox
    }
    // The rate is checked before the decision, so that rejected requests cost little.
    guard takeRate(of: asked, request) else {
      return (source, accept(Self.tooOften(asked), request, rules))
    }
    asked.hops = hopCounter.hops(of: asked, token: options.activationToken, at: .now)
    requests[request.key]?.hops = asked.hops
    // A request that waits for a slow file system is overtaken, so that it does not delay others.
    let decided = await decided(asked, rules) {
      admission.end()
    }
    guard request.expires > BootClock.now else {
      throw BusError(
        .timeout,
        "cannot decide, because route or desktop files could not be read in time; nothing was opened")
    }
    let (answered, current) =
      decided.isSettled ? (decided, rules) : await answered(decided, request, rules) { admission.end() }
    guard requests[request.key]?.isWithdrawn != true else {
      throw BusError(.cancelled, "the request was withdrawn while the user was asked")
    }
    let shares = trails.follow(answered.shares, of: answered.request, at: .now)
    return (source, accept(PlannedRequest(request: answered.request, shares: shares), request, current))
  }

  /// Counts the URLs of a request against the rate limit of its source, if it has one; returns `false` if they exceed it.
  private func takeRate(of asked: OpenRequest, _ request: ActiveRequest) -> Bool {
    // Forwarded requests count even after a user activation.
    guard request.options.hops > 0 || asked.source.mayBeSandboxed else { return true }
    // An unverified name could change with each request, or consume the rate of another application.
    let isVerified = ![.claimed, .unknown].contains(asked.source.assurance)
    let source = isVerified ? asked.questioner?.rawValue : nil
    return rates.take(source ?? request.charged.text, links: asked.urls.count, at: .now)
  }

  private static func tooOften(_ asked: OpenRequest) -> PlannedRequest {
    let refusal = Refusal.tooOften(source: asked.questioner?.rawValue ?? "an unknown program")
    return PlannedRequest(
      request: asked, shares: [RequestGroup(urls: asked.urls, verdict: .refuse(refusal))])
  }

  /// Opens the fallback if it is needed, and returns the receipt.
  func conclude(
    _ request: ActiveRequest, _ deliveries: [Delivery], _ source: SourceApplication
  ) async throws(BusError) -> Receipt {
    var deliveries = deliveries
    if let first = Self.needsFallback(deliveries), let text = request.options.fallback,
      let fallback = try? checked([text])
    {
      let rules = await rules()
      let request = request.forFallback
      var asked = try await openRequest(fallback, source, request.options, rules)
      asked.hops = requests[request.key]?.hops ?? asked.hops
      asked.hops = asked.nextHop
      asked.sandbox = requests[request.key]?.sandbox
      let (answered, current) = await answered(await decided(asked, rules), request, rules)
      let ways = accept(answered, request, current, after: deliveries)
      deliveries = Self.merge(deliveries, first, await wait(for: ways, request))
    }
    return try receipt(of: request, deliveries)
  }

  /// Replaces failed deliveries with those of the fallback.
  ///
  /// Deliveries that may have reached an application are retained.
  static func merge(_ deliveries: [Delivery], _ first: Int, _ substitutes: [Delivery]) -> [Delivery] {
    deliveries[..<first] + substitutes + deliveries[first...].filter { $0.outcome != .failed }
  }

  /// Returns the index of the first delivery that needs a fallback; `nil` if none does.
  static func needsFallback(_ deliveries: [Delivery]) -> Int? {
    // A cancelled request needs no fallback, and an open question is not a failure.
    guard !deliveries.contains(where: { $0.error == BrokerErrorName.cancelled.errorName }) else { return nil }
    return deliveries.firstIndex { $0.outcome == .failed && $0.choices == nil }
  }

  func receipt(of request: ActiveRequest, _ deliveries: [Delivery]) throws(BusError) -> Receipt {
    let receipt = Receipt(requestID: request.id, deliveries: deliveries)
    guard !Self.failed(receipt, request.options.wait) else { throw Self.error(of: receipt) }
    return receipt
  }

  /// Returns whether no part of the request reached the outcome that the caller waits for, and a part has an error.
  private static func failed(_ receipt: Receipt, _ wait: OpenOptions.Wait) -> Bool {
    receipt.deliveries.allSatisfy { $0.outcome < wait.outcome }
      && receipt.deliveries.contains { $0.error != nil }
  }

  /// Returns the error of the first failure, with the receipt as its details.
  private static func error(of receipt: Receipt) -> BusError {
    let worst = receipt.failure ?? receipt.deliveries.first { $0.error != nil }
    return BusError(
      worst?.error ?? BrokerErrorName.timeout.errorName,
      worst?.message ?? "the outcome is unknown",
      details: receipt.entries)
  }

  /// Returns the deliveries of all parts, waiting as long as the caller does.
  func wait(for ways: [DeliveryHandle], _ request: ActiveRequest) async -> [Delivery] {
    var deliveries = ways.map(\.known)
    for (index, way) in ways.enumerated() {
      // A stored part needs no caller, so a caller that waits for acceptance only gets its receipt now.
      guard case .underWay = way, request.options.wait != .accepted || !way.isStored else { continue }
      // The parts proceed independently, so waiting for them in sequence takes no longer than the slowest.
      let delivery = await way.delivery(timeout: BootClock.until(request.deadline))
      deliveries[index] = delivery
      // The receipt, which follows at once unless there is a fallback, reports the last part.
      guard index < ways.count - 1 || request.options.fallback != nil else { continue }
      progress(request, delivery.outcome, way.known.application)
    }
    return deliveries
  }

  func envelope(
    _ id: String, _ share: RequestGroup, _ request: OpenRequest, _ options: OpenOptions
  ) -> Envelope {
    var envelope = Envelope(requestID: id, urls: share.texts, others: options.others)
    envelope.sourceApplication = request.source.id?.rawValue
    envelope.assurance = BusInterfaces.Assurance(rawValue: request.source.assurance.rawValue)
    envelope.via = request.source.via?.rawValue
    envelope.isSandboxed = request.source.mayBeSandboxed
    envelope.person = UserActivation(share, of: request)
    envelope.annotation = options.annotation
    envelope.origin = options.origin
    envelope.activationToken = options.activationToken
    envelope.reason = options.reason
    envelope.payload = options.payload
    envelope.hops = request.hops
    envelope.desktopAction = options.desktopAction
    envelope.openInPlace = options.openInPlace
    envelope.targetContentID = options.targetContentID
    return envelope
  }

  /// Emits the progress of a part to the caller.
  nonisolated func progress(_ request: ActiveRequest, _ outcome: Outcome, _ application: String?) {
    // A signal to a disconnected caller has no effect, so errors are ignored.
    switch request.requester {
    case .connection(let sender)?:
      bus.assumeIsolated { bus in
        try? bus.emit(
          BrokerInterface.progress, from: BrokerInterface.path, to: sender, request.id, outcome.rawValue,
          application ?? "")
      }
    case .peer(let peer)?: if outcome == .unknown { peer.send(OpenAnswer.uncertain.rawValue) }
    case nil: break
    }
  }
}
