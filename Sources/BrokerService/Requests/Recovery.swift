// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import Freedesktop
import DBus
import Launching
import Logging
import RouteTables
import State

/// The recovery of the requests that an earlier broker left.
@BrokerActor
final class Recovery {
  let journal: RequestJournal
  let quotas: QuotaTracker
  let registry: RequestRegistry
  let deliveries: DeliveryService
  let completion: RequestCompletion
  private let policy: PolicyService
  let decisions: DecisionService
  private let admission: AdmissionQueue
  private let files: FileThread
  private let runtimeDirectory: String?
  private let log: Logger
  /// Fulfilled when the stored requests are queued, which precede all new ones; `nil` if none are being loaded.
  private var loading: Promise<Void>?

  init(
    journal: RequestJournal, quotas: QuotaTracker, registry: RequestRegistry, deliveries: DeliveryService,
    completion: RequestCompletion, policy: PolicyService, decisions: DecisionService,
    admission: AdmissionQueue, files: FileThread,
    runtimeDirectory: String?, log: Logger
  ) {
    self.journal = journal
    self.quotas = quotas
    self.registry = registry
    self.deliveries = deliveries
    self.completion = completion
    self.policy = policy
    self.decisions = decisions
    self.admission = admission
    self.files = files
    self.runtimeDirectory = runtimeDirectory
    self.log = log
  }

  /// A Boolean value that indicates whether all requests of an earlier broker are loaded.
  var isComplete: Bool { loading == nil && journal.isOpen }

  /// Makes new requests wait for the stored ones, which precede them, until `finish`.
  func prepare() {
    let loading = Promise<Void>()
    self.loading = loading
    admission.holdNewRequests(until: loading)
  }

  /// Loads the stored requests and resumes them in the order of their acceptance.
  ///
  /// Only the owner of the broker's names may load them. A cancelled task leaves them to the next broker.
  func load() async { await resume(await journal.open(in: runtimeDirectory)) }

  /// Admits new requests, behind the stored ones.
  func finish() {
    let finished = loading
    loading = nil
    finished?.fulfil(())
  }

  /// Recovers the stored requests if the file could not be opened or was replaced before.
  func completeIfPossible() async {
    while let loading { await loading.value }
    journal.leaveReplacedFile()
    let stored = withoutRepeated(journal.reopen(in: runtimeDirectory))
    if !stored.isEmpty {
      prepare()
      await resume(stored)
      finish()
    }
    deliveries.storeAgain()
  }

  /// Returns the stored requests that no caller has repeated while they could not be read, and removes the others from the file.
  ///
  /// This broker delivers the repetition.
  private func withoutRepeated(_ stored: [PendingRequest]) -> [PendingRequest] {
    stored.filter { pending in
      guard let number = registry.number(of: RequestKey(of: pending)) else {
        return true
      }
      if number != pending.number { journal.removeNow(pending.number) }
      return false
    }
  }

  /// Returns whether another session has replaced this one, whose broker then resumes the pending requests.
  ///
  /// Programs that this broker starts would have the environment of the old session.
  func leavesToNextSession() async -> Bool {
    guard journal.leaveReplacedFile() else { return false }
    deliveries.sendNothingMore()
    await resume(withoutRepeated(await journal.open(in: runtimeDirectory)))
    deliveries.storeAgain()
    return true
  }

  private func resume(_ stored: [PendingRequest]) async {
    guard !stored.isEmpty else { return }
    let now = BootClock.now
    journal.forget(stored.filter { $0.expires <= now && $0.isEnded }.map(\.number))
    let unfinished = stored.filter { !$0.isEnded }
    // An expired request is not lost without a trace: its end is reported.
    let waiting = unfinished.filter { $0.expires > now }
    if !waiting.isEmpty { log.notice("resuming \(waiting.count) requests of an earlier broker") }
    let expired = unfinished.count - waiting.count
    if expired > 0 { log.notice("\(expired) requests of an earlier broker have expired") }
    var installed = await installed(for: unfinished.flatMap(\.parts))
    installed.rejections = await rejections(of: waiting, by: installed.policy)
    // The broker is stopping: the requests stay in the file for the next one. Only the recovery at the start is ever cancelled.
    guard !Task.isCancelled else { return }
    for request in stored where request.expires > now || !request.isEnded { resume(request, installed) }
    deliveries.expireOld()
  }

  /// The current policy, and what it says about the stored requests: the targets that are still installed, and rejections.
  private struct Installed: Sendable {
    var policy: PolicySnapshot?
    var applications: [ApplicationID: TargetApplication] = [:]
    /// The deliveries that the policy rejects, by request and index.
    var rejections: [Int64: [Int: Delivery]] = [:]
  }

  private func installed(for parts: [PendingRequest.Part]) async -> Installed {
    // The program of a route waits without a target.
    guard parts.contains(where: { $0.target != nil || $0.progress == .queued }) else { return Installed() }
    let current = await policy.current()
    let targets = Set(parts.compactMap(\.target)).compactMap { ApplicationID(rawValue: $0) }
    var browsers: [InstalledBrowser]?
    if targets.contains(where: { BrowserTargetID($0.rawValue) != nil }) {
      browsers = await policy.browsers(for: current)
    }
    return await files.run { [browsers] in
      var installed = Installed(policy: current)
      for id in targets {
        installed.applications[id] = current.broker.target(of: id, browsers: browsers)
      }
      return installed
    }
  }

  /// Decides the deliveries that were not sent yet by the current policy, and returns those that it rejects.
  ///
  /// The policy may have changed since the requests were accepted, and a program of the user may have changed the store.
  /// The URLs that the caller sent are decided with what routes make of them. A stored URL is decided by itself only if routes do not
  /// make it of the sent one any more, because the path of a file that a machine shares is permitted only as the result of a route.
  /// A question that the user has not answered for the request counts as a rejection, because no caller waits for its
  /// answer. A delivery keeps its application, whichever the current policy would choose. A program of a route is started only if the
  /// current policy runs it for the URL, too.
  private func rejections(
    of pending: [PendingRequest], by policy: PolicySnapshot?
  ) async -> [Int64: [Int: Delivery]] {
    guard let policy else { return [:] }
    var rejections: [Int64: [Int: Delivery]] = [:]
    for request in pending {
      for part in request.parts where part.progress == .queued {
        guard let stored = try? StoredDelivery(part.content),
          stored.command != nil || !stored.envelope.urls.isEmpty,
          var rejection = await rejection(of: stored, to: part.target, by: policy)
        else { continue }
        rejection.application = part.target
        rejection.choices = nil
        rejection.question = nil
        rejections[request.number, default: [:]][part.index] = rejection
      }
    }
    return rejections
  }

  private func rejection(
    of stored: StoredDelivery, to target: String?, by policy: PolicySnapshot
  ) async -> Delivery? {
    let envelope = stored.envelope
    // Start with 0 hops: they were within the limit when the request was accepted, and at the limit a rewritten URL would be
    // rejected before the rules are applied.
    var asked = OpenRequest(
      urls: [], source: await self.policy.withInstallation(stored.source, in: policy))
    if let sandbox = stored.sandbox {
      asked.caller.sandbox = await self.policy.withInstallation(
        asked.caller.source.inSandbox(of: sandbox), in: policy)
    }
    asked.caller.origin = envelope.origin
    asked.caller.isByClick = envelope.userActivation != nil
    if stored.command != nil { return await rejection(ofProgramFor: stored, requestedAs: asked, by: policy) }
    var first: Delivery?
    // The store does not say whether the caller named the application or a rule chose it, and only a rule that forbids
    // the link rejects it in both cases.
    for target in [nil, target.flatMap { ApplicationID(rawValue: $0) }] {
      asked.target = target
      guard let rejection = await rejection(of: stored, requestedAs: asked, by: policy) else { return nil }
      first = first ?? rejection
    }
    return first
  }

  /// Returns the first rejection of the URLs of a stored delivery by the current policy.
  ///
  /// - Parameter request: The request to decide, without URLs.
  private func rejection(
    of stored: StoredDelivery, requestedAs request: OpenRequest, by policy: PolicySnapshot
  ) async -> Delivery? {
    let isAllowed = stored.envelope.userActivation == .allowed
    var (request, urls) = (request, stored.requestedURLs)
    var decided: [RequestGroup.Link] = []
    // The second pass decides what the first one has not.
    for _ in 1...2 where !urls.isEmpty {
      request.urls = urls
      for group in await decisions.decide(request, by: policy, for: .unidentified).groups {
        switch group.verdict {
        case .deliver, .run: decided += group.links
        case .ask where isAllowed: decided += group.links
        case .ask, .refuse(.denied), .refuse(.declined), .refuse(.unreadable):
          return Delivery(unopened: group)
        case .refuse: break
        }
      }
      urls = stored.urls(besides: decided)
    }
    return nil
  }

  /// Returns the rejection of a program that a route ran for a stored URL, unless the current policy runs it with the same arguments.
  ///
  /// - Parameter request: The request to decide, without URLs.
  private func rejection(
    ofProgramFor stored: StoredDelivery, requestedAs request: OpenRequest, by policy: PolicySnapshot
  ) async -> Delivery? {
    let isAllowed = stored.envelope.userActivation == .allowed
    var request = request
    request.urls = stored.requestedURLs
    while let group = await decisions.decide(request, by: policy, for: .unidentified).groups.first {
      switch group.verdict {
      case .run(let command) where stored.runs(command) && stored.urls(besides: group.links).isEmpty:
        return nil
      case .ask(let question) where isAllowed && request.answers.given[question.identity] == nil:
        request.answers.given[question.identity] = .yes
      case .ask, .refuse: return Delivery(unopened: group)
      case .deliver, .run: return Self.changedRoutes
      }
    }
    return Self.changedRoutes
  }

  private static let changedRoutes = Delivery(
    application: nil, outcome: .failed, error: BrokerErrorName.denied.errorName,
    message: "the routes have changed and do not run the same program for the link any more")

  /// Returns whether the fallback of a stored request may be opened, if no earlier broker has started it.
  private static func mayOpenFallback(of pending: PendingRequest, _ options: OpenOptions) -> Bool {
    let now = BootClock.now
    // Nothing is opened after the lifetime of the request.
    guard options.fallback != nil, pending.expires > now else { return false }
    let hasAnswer =
      options.wait == .accepted || pending.deadline == pending.expires || pending.deadline <= now
    // A part that failed after the caller had its answer got no fallback, and its failure was reported to the user.
    return !hasAnswer
      || !pending.parts.contains { part in
        guard part.progress == .ended, let result = part.result else { return false }
        return (try? Delivery([String: Variant](json: result)))?.outcome == .failed
      }
  }

  private func resume(_ pending: PendingRequest, _ installed: Installed) {
    do throws(MessageError) {
      if let part = pending.parts.first(where: { $0.progress == .asking }) {
        return try resumeQuestion(pending, about: part.content)
      }
      var details = try PersistedDetails(pending.details)
      if !Self.mayOpenFallback(of: pending, details.options) { details.options.fallback = nil }
      let source = details.source
      let request = ActiveRequest(resuming: pending, details)
      let parts = pending.parts.map { part in
        let application = part.target.flatMap { ApplicationID(rawValue: $0) }.flatMap {
          installed.applications[$0]
        }
        return (
          isFallback: part.isFallback,
          handle: deliveries.resume(
            part, of: pending, request, to: application, by: installed.policy,
            rejection: installed.rejections[pending.number]?[part.index])
        )
      }
      let isLogged = !pending.isEnded
      _ = registry.begin(request, isLogged: isLogged) { () async throws(BusError) in
        try await self.completion.receipt(
          of: request, parts.filter { !$0.isFallback }.map(\.handle),
          substitutes: parts.filter(\.isFallback).map(\.handle), from: source)
      }
    } catch {
      log.error(
        "cannot read a request of an earlier broker: \(error)", metadata: ["request": "\(pending.id)"])
      // It is not known whether its caller waits.
      let request = ActiveRequest(resumingUnreadable: pending)
      for part in pending.parts where part.progress != .ended {
        let handle = deliveries.endUnreadable(part, of: pending, request)
        handle.notifyUser(of: handle.known)
      }
      journal.removeNow(pending.number)
    }
  }
}
