import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import Logging
import RouteTables
import State
import Systemd

/// One part of a request, with its outcome or the object that delivers it.
enum DeliveryHandle: Sendable {
  case over(Delivery)
  case underWay(application: String?, Carrier)

  /// The object that delivers the part.
  enum Carrier: Sendable {
    case target(DeliveryQueue, DeliveryQueue.Ticket)
    case program(RouteCommandExecution, isStored: Bool)
  }

  /// The delivery as far as it is known without waiting.
  var known: Delivery {
    switch self {
    case .over(let delivery): delivery
    case .underWay(let application, _): Delivery(application: application, outcome: .accepted)
    }
  }

  /// A Boolean value that indicates whether the part is stored, so that its caller need not wait.
  var isStored: Bool {
    switch self {
    case .over: true
    case .underWay(_, .target(_, let ticket)): ticket.isStored
    case .underWay(_, .program(_, let isStored)): isStored
    }
  }

  /// Returns the outcome, waiting for at most `timeout`.
  func delivery(timeout: Duration) async -> Delivery {
    switch self {
    case .over(let delivery): delivery
    case .underWay(_, .target(let target, let ticket)): await target.delivery(of: ticket, timeout: timeout)
    case .underWay(_, .program(let run, _)): await run.delivery(timeout: timeout)
    }
  }
}

/// The steps from the decision to the acceptance of a request.
extension BrokerDaemon {
  /// Stores and queues all parts of a decided request.
  ///
  /// - Parameter earlier: The deliveries that these parts replace, for a fallback.
  func accept(
    _ decided: PlannedRequest, _ request: ActiveRequest, _ rules: PolicySnapshot,
    after earlier: [Delivery] = []
  ) -> [DeliveryHandle] {
    let asked = decided.request
    let parts = parts(of: decided, request, rules, after: earlier.count)
    expireOld()
    let written = write(parts, request, asked.source, earlier)
    return parts.map { decided in
      let part = decided.part
      let note = DeliveryObserver(
        history, monitors, request: request.id, urls: decided.share.urls,
        source: asked.source.id?.rawValue, assurance: asked.source.assurance.rawValue,
        caller: request.charged)
      if let delivery = part.over {
        note.end(delivery)
        return .over(delivery)
      }
      let context = context(for: part, of: request, decided.room, note, asked.source, earlier)
      switch decided.share.verdict {
      case .deliver(let application):
        let target = target(application, rules)
        let ticket = target.assumeIsolated { target in
          target.accept(
            part.envelope, wait: request.options.wait, for: application, programs: rules.programs, context,
            written: written)
        }
        requests[request.key]?.tickets.append((target, ticket))
        return .underWay(application: application.id.rawValue, .target(target, ticket))
      case .run(let command):
        let run = RouteCommandExecution(
          command, part.envelope, wait: request.options.wait, context, dependencies)
        run.assumeIsolated { $0.start(written: written == true) }
        return .underWay(application: nil, .program(run, isStored: written == true))
      case .ask, .refuse: return .over(Delivery(application: nil, outcome: .failed))
      }
    }
  }

  /// The maximum number of parts of one request in the log.
  private static let maximumLogged = 20

  /// Returns the planned parts.
  ///
  /// A part that exceeds a quota is finished at once with an error.
  private func parts(
    of decided: PlannedRequest, _ request: ActiveRequest, _ rules: PolicySnapshot, after places: Int
  ) -> [PlannedDelivery] {
    let asked = decided.request
    let unlogged = decided.shares.count - Self.maximumLogged
    if unlogged > 0 {
      // The system journal limits the rate of each service, and would drop the messages of other callers.
      loop.submitAfterwards { [log] in
        log.info("and \(unlogged) more parts", metadata: ["request": "\(request.id)"])
      }
    }
    var hasToken = false
    return decided.shares.enumerated().map { index, share in
      if index < Self.maximumLogged { log(share, of: request.id, asked.source) }
      let place = places + index
      let over = Delivery(unopened: share)
      // A finished part is sent to no application, and a request may have hundreds of them.
      let envelope =
        over != nil
        ? Envelope(requestID: request.id, urls: [])
        : envelope(request.targetID(of: place, ledgerKey), share, asked, request.options)
      var decided = PlannedDelivery(
        share: share,
        part: RequestPart(
          place: place, application: share.application, isFallback: places > 0, envelope: envelope,
          over: over),
        room: RequestJournal.Share(of: envelope, for: share.application, from: request.charged))
      guard decided.part.over == nil else { return decided }
      // An activation token is valid for one window.
      if hasToken { decided.part.envelope.activationToken = nil }
      hasToken = true
      if case .deliver(let application) = share.verdict {
        decided.part.envelope.application = application.id.rawValue
        if let action = application.desktopAction { decided.part.envelope.desktopAction = action }
      }
      if let limit = journal.assumeIsolated({ $0.take(decided.room) }) {
        decided.part.over = Delivery(
          application: share.application, outcome: .failed, error: BrokerErrorName.tooMany.errorName,
          message: "\(limit); try again later")
      }
      return decided
    }
  }

  /// Stores the request before its acceptance is reported.
  ///
  /// - Returns: Whether the request is stored; `nil` if storing can wait until the target turns out not to run.
  private func write(
    _ decided: [PlannedDelivery], _ request: ActiveRequest, _ source: SourceApplication, _ earlier: [Delivery]
  ) -> Bool? {
    guard decided.contains(where: { $0.part.over == nil }) else { return nil }
    if decided.count == 1, earlier.isEmpty, request.options.wait != .accepted,
      case .deliver(let application) = decided[0].share.verdict,
      targets[application.id]?.assumeIsolated({ $0.canSkipPersistence(for: application) }) == true
    {
      return nil
    }
    let pending = request.pending(decided.map(\.part), from: source, after: earlier)
    return journal.assumeIsolated { $0.add(pending) }
  }

  private func context(
    for part: RequestPart, of request: ActiveRequest, _ room: RequestJournal.Share, _ note: DeliveryObserver,
    _ source: SourceApplication, _ earlier: [Delivery]
  ) -> DeliveryContext {
    let application = part.application
    var context = DeliveryContext(
      journal: journal, share: room, number: request.number, place: part.place, expires: request.expires,
      note: note, request: { request.pending([part], from: source, after: earlier) },
      progress: { [self] in progress(request, $0, application) })
    context.handling = watch(request, application)
    return context
  }
}
