import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import RouteTables
import Systemd

extension BrokerDaemon {
  /// Opens URLs for the caller behind `sender`: the whole way from the call to the receipt.
  func open(
    _ urls: [String], _ options: [String: Variant], for sender: BusName
  ) async throws(BusError) -> Receipt {
    let arrival = ContinuousClock.now
    let caller = Task { await self.facts(of: sender) }
    // Requests are admitted in the order in which they arrived, whoever was identified first.
    let previous = lastAdmission
    let (admitted, admission) = AsyncStream<Void>.makeStream()
    lastAdmission = Task { for await _ in admitted {} }
    let facts = await caller.value
    await previous?.value
    let request = try admit(urls, options, sender, facts, arrival, admission)
    return try await request.value.get()
  }

  /// Tells a repeated request from a new one, and starts the new one.
  private func admit(
    _ urls: [String], _ entries: [String: Variant], _ sender: BusName,
    _ caller: Result<CallerFacts?, BusError>, _ arrival: ContinuousClock.Instant,
    _ admission: AsyncStream<Void>.Continuation
  ) throws(BusError) -> Task<Result<Receipt, BusError>, Never> {
    do throws(BusError) {
      let facts = try caller.get()
      let options = try read(entries)
      let urls = try checked(urls)
      let id = options.requestID ?? RequestID.random()
      let key = RequestKey(caller: facts?.scope ?? sender.rawValue, id: id)
      let digest = RequestRecord.digest(urls, entries)
      if let record = requests[key] {
        guard record.digest == digest else {
          throw BusError(.invalidRequest, "the request \(id) exists already, with other content")
        }
        admission.finish()
        return record.result
      }
      let task = Task { () async -> Result<Receipt, BusError> in
        let result: Result<Receipt, BusError>
        do throws(BusError) {
          result = .success(
            try await self.carryOut(
              id, key, urls, options, sender, facts, by: arrival + options.timeout, admission))
        } catch {
          result = .failure(error)
        }
        admission.finish()
        self.record(result, of: id)
        self.forgetOldest(after: key)
        return result
      }
      requests[key] = RequestRecord(digest: digest, result: task)
      return task
    } catch {
      admission.finish()
      throw error
    }
  }

  private func carryOut(
    _ id: String, _ key: RequestKey, _ urls: [URLString], _ options: OpenOptions, _ sender: BusName,
    _ facts: CallerFacts?, by deadline: ContinuousClock.Instant, _ admission: AsyncStream<Void>.Continuation
  ) async throws(BusError) -> Receipt {
    let fallback: [URLString]?
    if let text = options.fallback { fallback = try checked([text]) } else { fallback = nil }
    let rules = await rules()
    let source = SourceApplication.identify(
      facts, claim: options.sourceApplication.flatMap { ApplicationID($0) },
      isInstalled: rules.isInstalled, owners: rules.owners)
    let request = try await openRequest(urls, source, options, rules)
    var deliveries = await deliver(request, id, key, options, rules, to: sender, by: deadline, admission)
    // Who gave the request up does not want its fallback either, and a question is not an end.
    let isCancelled = deliveries.contains { $0.error == BrokerErrorName.cancelled.errorName }
    let failed = deliveries.firstIndex { $0.outcome == .failed && $0.choices == nil }
    if !isCancelled, let fallback, let first = failed {
      // What somebody got stays; the fallback takes the place of what certainly nobody got.
      var second = request
      second.urls = fallback
      second.target = nil
      second.hops = request.nextHop
      let substitutes = await deliver(second, id, key, options, rules, to: sender, by: deadline, admission)
      deliveries = deliveries[..<first] + substitutes + deliveries[first...].filter { $0.outcome != .failed }
    }
    let receipt = Receipt(requestID: id, deliveries: deliveries)
    guard !Self.failed(receipt, options.wait) else { throw Self.error(of: receipt) }
    return receipt
  }

  /// Whether no part of the request got as far as was waited for, and something went wrong.
  private static func failed(_ receipt: Receipt, _ wait: OpenOptions.Wait) -> Bool {
    receipt.deliveries.allSatisfy { $0.outcome < wait.outcome }
      && receipt.deliveries.contains { $0.error != nil }
  }

  /// The receipt as the error that tells its first failure; the whole receipt goes along.
  private static func error(of receipt: Receipt) -> BusError {
    let worst = receipt.failure ?? receipt.deliveries.first { $0.error != nil }
    return BusError(
      worst?.error ?? BrokerErrorName.timeout.errorName,
      worst?.message ?? "nobody can know what became of it",
      details: receipt.entries)
  }

  /// Decides, queues everything, says that it is accepted, and waits as long as the caller wants to.
  private func deliver(
    _ request: OpenRequest, _ id: String, _ key: RequestKey, _ options: OpenOptions, _ rules: DesktopRules,
    to sender: BusName, by deadline: ContinuousClock.Instant, _ admission: AsyncStream<Void>.Continuation
  ) async -> [Delivery] {
    var deliveries: [Delivery] = []
    var waiting: [(index: Int, share: Waiting)] = []
    // What waits for a slow file system loses its place, and holds nobody else up.
    for share in await shares(of: request, rules, willWait: { admission.finish() }) {
      log(share, of: id, request.source)
      if let delivery = Delivery(unopened: share) {
        deliveries.append(delivery)
        continue
      }
      do throws(BusError) {
        var envelope = envelope(id, share.texts, request, options)
        // A token is good for one window.
        if !waiting.isEmpty { envelope.activationToken = nil }
        let accepted = try await accept(share, envelope, options.wait, rules, key)
        waiting.append((deliveries.count, accepted))
        deliveries.append(Delivery(application: accepted.application, outcome: .accepted))
        progress(id, .accepted, accepted.application, to: sender)
      } catch {
        deliveries.append(
          Delivery(
            application: share.application, outcome: .failed, error: error.name, message: error.message))
      }
    }
    admission.finish()
    guard options.wait != .accepted else { return deliveries }
    for (index, share) in waiting {
      // Everything moves on by itself; asking one after the other takes no longer than the slowest.
      let delivery = await share.delivery(timeout: max(deadline - .now, .zero), on: loop)
      deliveries[index] = delivery
      progress(id, delivery.outcome, share.application, to: sender)
    }
    return deliveries
  }

  /// A share that is on its way.
  private enum Waiting {
    case target(Target, Target.Ticket)
    case program(RoutedRun)

    var application: String? { if case .target(let target, _) = self { target.id.rawValue } else { nil } }

    func delivery(timeout: Duration, on loop: EventLoop) async -> Delivery {
      switch self {
      case .target(let target, let ticket): await target.delivery(of: ticket, timeout: timeout)
      case .program(let run): await run.delivery(timeout: timeout, on: loop)
      }
    }
  }

  private func accept(
    _ share: RequestShare, _ envelope: Envelope, _ wait: OpenOptions.Wait, _ rules: DesktopRules,
    _ key: RequestKey
  ) async throws(BusError) -> Waiting {
    var envelope = envelope
    switch share.verdict {
    case .deliver(let application):
      let target = target(application, rules)
      envelope.application = application.id.rawValue
      if let action = application.desktopAction { envelope.desktopAction = action }
      let ticket = try await target.accept(envelope, wait: wait, for: application, programs: rules.programs)
      requests[key]?.tickets.append((target, ticket))
      return .target(target, ticket)
    case .run(let command): return .program(RoutedRun(command, envelope, wait: wait, surroundings))
    case .ask, .refuse: throw BusError(.denied, share.verdict.description)
    }
  }

  private func envelope(
    _ id: String, _ urls: [String], _ request: OpenRequest, _ options: OpenOptions
  ) -> Envelope {
    // Callers choose IDs each for themselves; a target must never take one caller's for another's.
    let targetID = options.requestID == nil ? id : RequestID.random()
    var envelope = Envelope(requestID: targetID, urls: urls, others: options.others)
    envelope.sourceApplication = request.source.id?.rawValue
    envelope.assurance = BusInterfaces.Assurance(rawValue: request.source.assurance.rawValue)
    envelope.via = request.source.via?.rawValue
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

  private func progress(_ id: String, _ outcome: Outcome, _ application: String?, to sender: BusName) {
    // A caller that has gone misses nothing that it could use.
    bus.assumeIsolated { bus in
      try? bus.emit(
        BrokerInterface.progress, from: BrokerInterface.path, to: sender, id, outcome.rawValue,
        application ?? "")
    }
  }
}
