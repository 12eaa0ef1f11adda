import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Logging
import RouteTables
import State

/// Recovery of the requests that an earlier broker left.
extension BrokerDaemon {
  /// Loads the stored requests and resumes them in the order of their acceptance.
  func recover() async { await resume(await journal.open(in: dependencies.runtimeDirectory)) }

  /// A Boolean value that indicates whether all requests of an earlier broker are loaded.
  var isRecovered: Bool { admissions.recovery == nil && journal.assumeIsolated { $0.isOpen } }

  /// Recovers the stored requests if the file could not be opened or was replaced before.
  func recoverIfPossibleNow() async {
    await admissions.recovery?.value
    let wasReplaced = await journal.leaveReplacedFile()
    await resume(await journal.reopen(in: dependencies.runtimeDirectory))
    if wasReplaced { for target in targets.values { await target.storeAgain() } }
  }

  /// Returns whether another session has replaced this one, whose broker then resumes the pending requests.
  ///
  /// Programs that this broker starts would have the environment of the old session.
  func leavesToNextSession() async -> Bool {
    guard await journal.leaveReplacedFile() else { return false }
    await resume(await journal.open(in: dependencies.runtimeDirectory))
    for target in targets.values { await target.storeAgain() }
    return true
  }

  private func resume(_ left: [PendingRequest]) async {
    guard !left.isEmpty else { return }
    let now = BootClock.now
    forget(left.filter { $0.expires <= now }.map(\.number))
    let kept = left.filter { $0.expires > now }
    let unfinished = kept.filter { request in request.parts.contains { $0.progress != .ended } }
    if !unfinished.isEmpty { log.notice("resuming \(unfinished.count) requests of an earlier broker") }
    let installed = await installed(Set(unfinished.flatMap(\.parts).compactMap(\.target)))
    for request in kept { resume(request, installed) }
    expireOld()
  }

  /// Returns the installed applications with the given IDs, and the current policy.
  private func installed(_ ids: Set<String>) async -> Installed {
    guard !ids.isEmpty else { return Installed() }
    let rules = await rules()
    return await files.run {
      var installed = Installed(rules: rules)
      for id in ids.compactMap({ ApplicationID(rawValue: $0) }) {
        installed.entries[id] = rules.catalog.load(id, programs: rules.programs).entry
      }
      return installed
    }
  }

  private struct Installed: Sendable {
    var rules: PolicySnapshot?
    var entries: [ApplicationID: DesktopEntry] = [:]
  }

  private func resume(_ pending: PendingRequest, _ installed: Installed) {
    do throws(MessageError) {
      let details = try PersistedDetails(pending.details)
      let request = ActiveRequest(
        id: pending.id, key: RequestKey(caller: pending.caller, id: pending.id), number: pending.number,
        digest: pending.digest, options: details.options, requester: nil,
        charged: ChargedCaller(pending.caller), deadline: pending.deadline, expires: pending.expires)
      let parts = try pending.parts.map { part throws(MessageError) in
        (part.isFallback, try resume(part, of: pending, request, installed))
      }
      begin(request) { () async throws(BusError) in
        try await self.conclude(request, parts, details.source)
      }
      for case (_, .underWay(_, .target(let target, let ticket))) in parts {
        requests[request.key]?.tickets.append((target, ticket))
      }
    } catch {
      log.error(
        "cannot read a request of an earlier broker: \(error)", metadata: ["request": "\(pending.id)"])
      forget([pending.number])
    }
  }

  private func conclude(
    _ request: ActiveRequest, _ parts: [(isFallback: Bool, way: DeliveryHandle)], _ source: SourceApplication
  ) async throws(BusError) -> Receipt {
    let deliveries = await wait(for: parts.filter { !$0.isFallback }.map(\.way), request)
    let substitutes = parts.filter(\.isFallback).map(\.way)
    if !substitutes.isEmpty, let first = Self.needsFallback(deliveries) {
      return try receipt(of: request, Self.merge(deliveries, first, await wait(for: substitutes, request)))
    }
    return try await conclude(request, deliveries, source)
  }

  private func resume(
    _ part: PendingRequest.Part, of pending: PendingRequest, _ request: ActiveRequest,
    _ installed: Installed
  ) throws(MessageError) -> DeliveryHandle {
    if part.progress == .ended, let result = part.result {
      return .over(try Delivery([String: Variant](json: result)))
    }
    let envelope = try Envelope(json: part.content)
    let room = RequestJournal.Share(of: envelope, for: part.target, from: request.charged)
    journal.assumeIsolated { $0.hold(room) }
    let context = DeliveryContext(
      journal: journal, share: room, number: request.number, place: part.place, expires: request.expires,
      note: DeliveryObserver(
        history, monitors, request: request.id,
        urls: envelope.urls.compactMap { try? URLString($0) },
        source: envelope.sourceApplication,
        assurance: envelope.assurance?.rawValue ?? BusInterfaces.Assurance.unknown.rawValue,
        caller: request.charged),
      request: { pending }, progress: { _ in }, handling: watch(request, part.target))
    guard let id = part.target.flatMap({ ApplicationID(rawValue: $0) }), let rules = installed.rules,
      let entry = installed.entries[id]
    else { return .over(giveUp(part, envelope, request, context)) }
    let target = target(TargetApplication(id: id, entry: entry, desktopAction: envelope.desktopAction), rules)
    let ticket = target.assumeIsolated {
      $0.resume(envelope, wait: request.options.wait, context, in: RequestState(part))
    }
    return .underWay(application: id.rawValue, .target(target, ticket))
  }

  /// Returns the delivery of a part whose target is not installed any more, or that was a program of a route.
  private func giveUp(
    _ part: PendingRequest.Part, _ envelope: Envelope, _ request: ActiveRequest, _ context: DeliveryContext
  ) -> Delivery {
    let given = DeliveryJob(
      number: 1, envelope, for: part.target, wait: request.options.wait, context, state: RequestState(part))
    given.take(.brokerRestarts)
    given.take(
      .startFailed,
      Delivery(
        application: part.target, outcome: .failed, error: BrokerErrorName.launchFailed.errorName,
        message: part.target.map { "\($0) is no longer installed" }
          ?? "the broker exited before it started the program"))
    return given.reported ?? Delivery(application: part.target, outcome: .unknown)
  }
}

extension RequestState {
  /// Creates the stored state.
  init(_ part: PendingRequest.Part) {
    switch part.progress {
    case .queued: self = .queued(again: part.again)
    // A stored method that is unknown is treated as a program start, which is never repeated.
    case .sent:
      self = .sent(part.way.flatMap(DeliveryMethod.init) ?? .program, stored: true, again: part.again)
    case .delivered: self = .delivered
    case .ended: self = .ended(.unknown)
    }
  }
}
