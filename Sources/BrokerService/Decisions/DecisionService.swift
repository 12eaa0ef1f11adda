// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import RouteTables
import Systemd

/// Decides requests with all facts that a decision needs, and prompts the user for the answers that it needs.
@BrokerActor
final class DecisionService {
  private let bus: BusConnection
  private let policy: PolicyService
  private let files: FileThread
  private let fileTypes: FileTypeProbe
  private let grants: GrantRepository
  private let questions: QuestionService
  private let deadlines: DecisionDeadlines
  private let limits: BrokerLimits
  /// The redirect chains, the rate limits of sources, and the hops since the user acted.
  private var loopDetector: LoopDetector
  private var rates: RateLimiter
  private var hopCounter: HopCounter
  private var activationTokens = ActivationTokens()

  init(
    on bus: BusConnection, policy: PolicyService, files: FileThread, fileTypes: FileTypeProbe,
    grants: GrantRepository, questions: QuestionService, deadlines: DecisionDeadlines, limits: BrokerLimits
  ) {
    self.bus = bus
    self.policy = policy
    self.files = files
    self.fileTypes = fileTypes
    self.grants = grants
    self.questions = questions
    self.deadlines = deadlines
    self.limits = limits
    loopDetector = LoopDetector(window: limits.redirectChain)
    rates = RateLimiter(interval: limits.linkInterval)
    hopCounter = HopCounter(sourceInterval: limits.restartInterval)
  }

  /// Decides the URLs of a caller's request by the current policy, and prompts the user if the decision needs an answer.
  ///
  /// - Parameters:
  ///   - willWait: Called if later requests should not wait for the decision.
  ///   - timedOut: Called if a disk has not responded before the request expires. The function then returns when the disk responds, and
  ///     throws the same error.
  /// - Throws: The reason why nothing may be opened.
  func decide(
    _ urls: [URLString], for request: ActiveRequest, from caller: CallerContext,
    willWait: @escaping @BrokerActor () -> Void, timedOut: @escaping @BrokerActor (BusError) -> Void
  ) async throws(BusError) -> PlannedRequest {
    deadlines.begin(request) { timedOut(DecisionDeadlines.exceeded) }
    let decided = await firstDecision(on: urls, for: request, from: caller, willWait: willWait)
    guard deadlines.end(request) else { throw DecisionDeadlines.exceeded }
    return try await finish(decided, for: request, willWait: willWait)
  }

  /// Decides the URLs of a caller's request before the user is asked.
  private func firstDecision(
    on urls: [URLString], for request: ActiveRequest, from caller: CallerContext,
    willWait: @escaping @BrokerActor () -> Void
  ) async -> PlannedRequest {
    let options = request.options
    var current = await policy.current(in: caller.environment)
    let source = await policy.source(of: caller.facts, claiming: options.sourceApplication, in: current)
    if !source.mayBeSandboxed {
      // A sandboxed caller must not choose the display on which other programs and prompts appear.
      request.facts.session = await caller.session(options.session)
      // Another desktop may have other default applications.
      if request.facts.session.desktop(otherThan: caller.environment) != nil {
        current = await policy.current(for: request.facts.session, in: caller.environment)
      }
    }
    var asked = await openRequest(urls, from: source, options, by: current)
    if source.mayBeSandboxed {
      asked.caller.sandbox = await policy.source(of: caller.facts, in: current)
      asked.caller.container = caller.facts?.container
      (request.facts.sandbox, request.facts.container) = (asked.caller.sandbox, asked.caller.container)
    }
    // The rate is checked before the decision, so that rejected requests cost little.
    guard isWithinRate(asked, request) else { return .tooOften(asked, by: current) }
    asked.caller.isByClick = isClick(options)
    asked.hops = hopCounter.hops(of: asked, at: .now)
    (request.facts.hops, request.facts.isByClick) = (asked.hops, asked.caller.isByClick)
    // A request that waits for a slow file system or a prompt is overtaken, so that it does not delay others.
    return await decide(asked, by: current, for: request.caller.charged, willWait: willWait)
  }

  /// Decides a request again about which an earlier broker asked the user, and asks again.
  func resume(
    _ urls: [URLString], for request: ActiveRequest, from source: SourceApplication
  ) async throws(BusError) -> PlannedRequest {
    let decided = try await deadlines.result(for: request) {
      let current = await self.policy.current(for: request.facts.session)
      let source = await self.policy.withInstallation(source, in: current)
      if let sandbox = request.facts.sandbox {
        request.facts.sandbox = await self.policy.withInstallation(sandbox, in: current)
      }
      let asked = await self.openRequest(
        urls, againFor: request, from: source, request.options, by: current)
      return await self.decide(asked, by: current, for: request.caller.charged)
    }
    return try await finish(decided, for: request) {}
  }

  /// Prompts the user if a decision needs an answer.
  private func finish(
    _ decided: PlannedRequest, for request: ActiveRequest, willWait: @BrokerActor () -> Void
  ) async throws(BusError) -> PlannedRequest {
    var planned = try await answer(decided, for: request, mayOutliveCaller: true, willWait: willWait)
    request.endQuestions(lifetime: limits.lifetime)
    guard !request.isWithdrawn else {
      throw BusError(.cancelled, "the request was cancelled while the user was asked")
    }
    planned.groups = loopDetector.follow(planned.groups, of: planned.request, at: .now)
    return planned
  }

  /// Returns whether a request has an activation token that no request and no program had before.
  private func isClick(_ options: OpenOptions) -> Bool {
    // A program that was started with both may pass on only one.
    if let startupID = options.startupID { activationTokens.record(startupID) }
    return options.activationToken.map { activationTokens.consume($0) } ?? false
  }

  /// Decides the fallback of a request by the current policy, one hop further; `nil` if a disk does not respond before the request expires.
  func decideFallback(
    _ urls: [URLString], for request: ActiveRequest, _ options: OpenOptions, from source: SourceApplication
  ) async -> PlannedRequest? {
    do throws(BusError) {
      let decided = try await deadlines.result(for: request) {
        let current = await self.policy.current(for: request.facts.session)
        var asked = await self.openRequest(urls, againFor: request, from: source, options, by: current)
        asked.hops = asked.nextHop
        return await self.decide(asked, by: current, for: request.caller.charged)
      }
      var planned = try await answer(decided, for: request)
      planned.groups = loopDetector.follow(planned.groups, of: planned.request, at: .now)
      return planned
    } catch {
      return nil
    }
  }

  /// Returns the request for a decision by `policy`, without the facts that only some routes need.
  func openRequest(
    _ urls: [URLString], from source: SourceApplication, _ options: OpenOptions, by policy: PolicySnapshot
  ) async -> OpenRequest {
    var request = OpenRequest(urls: urls, source: source, hops: options.hops)
    if let target = options.target { request.target = await self.policy.id(spelled: target, in: policy) }
    request.reason = options.reason.rawValue
    request.isUniversalLinksOnly = options.universalLinksOnly
    request.caller.origin = options.origin
    request.caller.signInWaits = options.signInWaits
    request.answers.reported = options.answer
    request.caller.isByClick = options.activationToken != nil
    request.desktopAction = options.desktopAction
    return request
  }

  /// Returns the request for another decision, with the findings of the first one about the caller.
  private func openRequest(
    _ urls: [URLString], againFor request: ActiveRequest, from source: SourceApplication,
    _ options: OpenOptions, by policy: PolicySnapshot
  ) async -> OpenRequest {
    var again = await openRequest(urls, from: source, options, by: policy)
    let facts = request.facts
    (again.caller.sandbox, again.caller.container) = (facts.sandbox, facts.container)
    again.caller.isByClick = facts.isByClick
    again.hops = facts.hops ?? again.hops
    return again
  }

  /// Decides a request.
  ///
  /// The facts are the running applications if a route has a condition on them, the MIME types of the local files, the installed browsers
  /// if a target is a browser with a profile, and the grants.
  ///
  /// - Parameters:
  ///   - caller: The caller for whom files are examined and grants are read.
  ///   - willWait: Called if they take longer than `BrokerLimits.reordering`, so that later requests can proceed.
  func decide(
    _ request: OpenRequest, by policy: PolicySnapshot, for caller: ChargedCaller,
    willWait: @escaping @BrokerActor () -> Void = {}
  ) async -> PlannedRequest {
    var request = request
    let needsRunning = policy.broker.asksWhatRuns
    if needsRunning { request.system.running = await runningApplications() }
    var types = request.system.fileTypes ?? [:]
    var known: Set<GrantScope> = []
    // Conditions on running applications need the handler of a file, so the MIME types are determined before the
    // decision.
    var paths =
      needsRunning ? request.urls.compactMap(\.localPath).filter { types[$0] == nil } : []
    while true {
      if !paths.isEmpty {
        let timer = callLater(willWait)
        types.merge(await fileTypes.types(of: paths, for: caller)) { $1 }
        timer.cancel()
      }
      request.system.fileTypes = types
      // Each pass knows more files, and `rewrite` routes add only a few others, so the loop terminates.
      let groups: [RequestGroup]
      (groups, paths) = await self.groups(of: request, by: policy)
      if request.system.browsers == nil, policy.broker.needsBrowsers(for: groups) {
        let timer = callLater(willWait)
        request.system.browsers = await self.policy.browsers(for: policy)
        timer.cancel()
        continue
      }
      let scopes = Set(groups.lazy.compactMap(\.question).flatMap(\.answeringScopes)).subtracting(known)
      if paths.isEmpty, scopes.isEmpty {
        return PlannedRequest(request: request, groups: groups, policy: policy)
      }
      if !scopes.isEmpty {
        let timer = callLater(willWait)
        request.answers.grants += await grants.grants(of: scopes, for: caller)
        timer.cancel()
      }
      known.formUnion(scopes)
    }
  }

  /// Returns the decision for one URL of a request with its facts.
  func decide(
    _ url: URLString, of request: OpenRequest, by policy: PolicySnapshot, tellsWhy: Bool = false
  ) async -> Decision {
    await files.run { policy.broker.decide(url, of: request, tellsWhy: tellsWhy) }
  }

  /// Prompts the user for the questions of a decision while its caller waits, and decides again with the answers.
  ///
  /// - Parameters:
  ///   - mayOutliveCaller: Whether the request may be stored while the user is asked; `false` for its fallback.
  ///   - willWait: Called before each prompt.
  private func answer(
    _ planned: PlannedRequest, for active: ActiveRequest, mayOutliveCaller: Bool = false,
    willWait: @BrokerActor () -> Void = {}
  ) async throws(BusError) -> PlannedRequest {
    guard !planned.isSettled else { return planned }
    let answered = try await questions.answer(
      planned, for: active, mayOutliveCaller: mayOutliveCaller, willWait: willWait
    ) { await self.decideAgain($0, for: active) }
    if let token = answered.activationToken { activationTokens.record(token) }
    return answered
  }

  /// Decides a request again by the policy, the grants and the installed browsers as they are after the user was asked.
  private func decideAgain(_ request: OpenRequest, for active: ActiveRequest) async -> PlannedRequest {
    var request = request
    // A grant that the user has replaced or revoked in the meantime must not open a link.
    request.answers.grants = []
    request.system.browsers = nil
    return await decide(
      request, by: await policy.current(for: active.facts.session), for: active.caller.charged)
  }

  /// Counts the URLs of a request against the rate limit of its source, if it has one; returns `false` if they exceed
  /// it.
  private func isWithinRate(_ asked: OpenRequest, _ request: ActiveRequest) -> Bool {
    // Forwarded requests count even after a user activation.
    guard request.options.hops > 0 || asked.caller.source.mayBeSandboxed else { return true }
    let source = asked.caller.verifiedQuestioner?.rawValue ?? request.caller.charged.text
    return rates.take(source, links: asked.urls.count, at: .now)
  }

  /// Returns the groups of a request's URLs, and the files whose MIME types are missing for a final decision.
  private func groups(
    of request: OpenRequest, by policy: PolicySnapshot
  ) async -> (groups: [RequestGroup], paths: [[UInt8]]) {
    let broker = policy.broker
    if policy.remembersChoices(for: request) {
      let groups = broker.groups(of: request)
      return (groups, broker.filesToLookAt(for: groups))
    }
    let groups = await broker.groups(of: request, urlsPerTurn: PolicySnapshot.urlsPerTurn) {
      await files.run($0)
    }
    return (groups, await files.run { broker.filesToLookAt(for: groups) })
  }

  /// Returns the running applications, which own their bus names.
  private func runningApplications() async -> Set<ApplicationID> {
    // If the bus does not reply, no application can be called either.
    let names = (try? await bus.call(BusDaemon.listNames, at: .bus)) ?? []
    return Set(names.compactMap { ApplicationID(rawValue: $0) })
  }

  private func callLater(_ willWait: @escaping @BrokerActor () -> Void) -> Task<Void, Never> {
    BrokerActor.loop.start {
      if (try? await BrokerActor.loop.sleep(for: BrokerLimits.reordering)) != nil { willWait() }
    }
  }
}

extension URLString {
  /// The path of a `file:` URL on this machine; `nil` for other URLs.
  fileprivate var localPath: [UInt8]? {
    if case .path(let path)? = FileURL.place(of: text) { path } else { nil }
  }
}
