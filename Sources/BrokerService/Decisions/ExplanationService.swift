// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import RouteFiles
import RouteTables

/// Decisions without a delivery: `CanOpen` and `Explain` of `org.usher.Broker1`.
@BrokerActor
final class ExplanationService {
  private let bus: BusConnection
  private let admission: AdmissionQueue
  private let policy: PolicyService
  private let decisions: DecisionService
  private let deadlines: DecisionDeadlines
  private let deliveries: DeliveryService

  init(
    on bus: BusConnection, admission: AdmissionQueue, policy: PolicyService, decisions: DecisionService,
    deadlines: DecisionDeadlines, deliveries: DeliveryService
  ) {
    self.bus = bus
    self.admission = admission
    self.policy = policy
    self.decisions = decisions
    self.deadlines = deadlines
    self.deliveries = deliveries
  }

  func canOpen(_ text: String, for sender: BusName) async throws(BusError) -> Bool {
    let arrival = ContinuousClock.now
    let (caller, ticket) = try await admission.admit(
      .connection(sender), size: text.utf8.count, readsEnvironment: true)
    defer { ticket.end(isBeyondLimit: false) }
    return try await deadlines.result(since: arrival) { () async throws(BusError) in
      try await self.canOpen(text, for: caller, admitted: ticket)
    }
  }

  private func canOpen(
    _ text: String, for caller: Result<CallerContext, BusError>, admitted ticket: AdmissionTicket
  ) async throws(BusError) -> Bool {
    let urls = try RequestDecoder.urls([text])
    var current = await policy.current()
    let source = await policy.source(of: try caller.get().facts, in: current)
    if !source.mayBeSandboxed { current = await policy.current(for: try caller.get().session(nil)) }
    var asked = await decisions.openRequest(urls, from: source, OpenOptions(), by: current)
    asked.caller.container = try caller.get().facts?.container
    let charged = try caller.get().charged
    let request = await decisions.decide(asked, by: current, for: charged) { ticket.release() }.request
    switch await decisions.decide(urls[0], of: request, by: current).verdict {
    case .deliver, .run, .ask: return true
    case .refuse: return false
    }
  }

  func explain(
    _ text: String, _ entries: [String: Variant], for sender: BusName
  ) async throws(BusError) -> [String: Variant] {
    let arrival = ContinuousClock.now
    let (caller, ticket) = try await admission.admit(
      .connection(sender), size: text.utf8.count + entries.size,
      readsEnvironment: entries[OpenOptions.sessionKey] == nil)
    defer { ticket.end(isBeyondLimit: false) }
    return try await deadlines.result(since: arrival) { () async throws(BusError) in
      try await self.explain(text, entries, for: caller, admitted: ticket)
    }
  }

  private func explain(
    _ text: String, _ entries: [String: Variant], for caller: Result<CallerContext, BusError>,
    admitted ticket: AdmissionTicket
  ) async throws(BusError) -> [String: Variant] {
    let corrected = try RequestDecoder.url(text)
    let urls = [corrected.url]
    var entries = entries
    let asksInside = try Self.truth(of: Explanation.inApplication, takenFrom: &entries)
    let isClicked = try Self.truth(of: Explanation.clicked, takenFrom: &entries)
    let explained = try decoded(ExplainedCaller.extract(from: &entries))
    let options = try RequestDecoder.options(entries)
    var current = await policy.current()
    let facts = try caller.get().facts
    var source: SourceApplication
    if let explained {
      try Self.check(explained, of: facts, options, asksInside: asksInside)
      source = SourceApplication(explained, await policy.id(spelled: explained.application, in: current))
    } else {
      source = await policy.source(of: facts, claiming: options.sourceApplication, in: current)
    }
    // Use the desktop of the calling command, even if it explains the decision for another caller.
    if facts?.mayBeSandboxed == false {
      current = await policy.current(for: try caller.get().session(options.session))
    }
    var installation: Installation?
    if let id = source.id {
      let found = await policy.installation(
        of: id, flatpak: explained == nil ? facts?.flatpak : nil, in: current)
      // The caller's value for the installation, if given, overrides the real one.
      if explained?.installedBy == nil {
        source = source.installed(by: found.owner)
        installation = found
      }
    }
    _ = try RequestDecoder.target(of: options)
    var wanted = await decisions.openRequest(urls, from: source, options, by: current)
    if isClicked { wanted.caller.isByClick = true }
    if explained == nil {
      wanted.caller.container = facts?.container
      if source.mayBeSandboxed { wanted.caller.sandbox = await policy.source(of: facts, in: current) }
    }
    let charged = try caller.get().charged
    let request = await decisions.decide(wanted, by: current, for: charged) { ticket.release() }.request
    let decision = await decisions.decide(urls[0], of: request, by: current, tellsWhy: true)
    var explanation = Explanation(decision, source: source)
    explanation.steps.insert(contentsOf: corrected.corrections.map(\.description), at: 0)
    explanation.describe(installation, of: source)
    explanation.diagnostics = policy.diagnostics.map(\.description)
    // The next steps wait for the application, so the caller's next request must not wait for them.
    ticket.release()
    if asksInside, case .deliver(let application) = decision.verdict {
      var envelope = Envelope(
        requestID: RequestID.random(),
        RequestGroup(
          links: [
            RequestGroup.Link(requested: urls[0], url: decision.url, hasSecret: decision.hasSecret)
          ], verdict: decision.verdict, isAllowedByUser: decision.isAllowedByUser),
        of: request, options)
      envelope.application = application.id.rawValue
      if let action = application.desktopAction { envelope.desktopAction = action }
      let inside = await explanationInside(application, envelope, from: source, by: current)
      (explanation.scene, explanation.sceneSteps) = (inside.scene, inside.steps)
    }
    return explanation.entries
  }

  /// Throws if the caller may not explain the decision for another caller, or combines that with incompatible options.
  private nonisolated static func check(
    _ explained: ExplainedCaller, of facts: CallerCredentials?, _ options: OpenOptions, asksInside: Bool
  ) throws(BusError) {
    guard facts?.mayBeSandboxed == false else {
      throw BusError(.accessDenied, "a sandboxed application may not query decisions for other applications")
    }
    if let text = explained.application, ApplicationID(text) == nil {
      throw BusError(.invalidRequest, "as-application: “\(text)” is not a desktop-file ID")
    }
    if let name = explained.remote, RemoteMachine(name) == nil {
      throw BusError(
        .invalidRequest, "as-remote: “\(name)” is not the name of a machine: \(RemoteMachine.rule)")
    }
    guard options.sourceApplication == nil, !asksInside else {
      // The application is asked on behalf of the real caller only.
      let other = asksInside ? Explanation.inApplication : "source-application"
      throw BusError(
        .invalidRequest, "\(other) cannot be combined with as-application or as-assurance; leave it out")
    }
  }

  /// Removes and returns a Boolean option of Explain; `false` if it is absent.
  private nonisolated static func truth(
    of key: String, takenFrom entries: inout [String: Variant]
  ) throws(BusError) -> Bool {
    guard var value = entries.removeValue(forKey: key) else { return false }
    while case .variant(let inner) = value { value = inner }
    guard let truth = value.boolean else {
      throw BusError(
        .invalidRequest, "\(key): the value has type \(value.signature), but it must be a boolean (b)")
    }
    return truth
  }

  /// Returns the scene that would receive the envelope and the steps of its selection, from the application itself.
  private func explanationInside(
    _ application: TargetApplication, _ envelope: Envelope, from source: SourceApplication,
    by policy: PolicySnapshot
  ) async -> (scene: String?, steps: [String]) {
    let id = application.id
    func silence(_ reason: String) -> (scene: String?, steps: [String]) { (nil, [reason]) }
    // The scenes of another application are private to a sandboxed caller.
    guard !source.mayBeSandboxed else {
      return silence("a sandboxed application may not query the scenes of \(id)")
    }
    guard application.takesEnvelopes, let name = id.busName.flatMap({ BusName($0) }),
      let path = ObjectPath(id.objectPath)
    else { return silence("\(id) does not accept envelopes, so the broker cannot query its scenes") }
    guard let owner = try? await bus.owner(of: name) else {
      return silence("\(id) is not running, so its scenes are unknown")
    }
    if let diagnostic = await deliveries.queue(for: application, by: policy).instance.impostor(
      owner, claiming: application)
    {
      return silence(diagnostic)
    }
    var envelope = envelope
    // An explanation must not consume the token.
    envelope.activationToken = nil
    envelope.delivery = .running
    do throws(BusError) {
      let answer = try await bus.call(
        Application1Interface.explain, at: RemoteObject(owner, path), envelope.entries,
        timeout: BrokerLimits.sceneExplanation, autoStart: false)
      let limit = Delivery.maximumText
      return (
        answer["scene"]?.string?.shortened(toBytes: limit),
        (answer["steps"]?.strings ?? []).prefix(BrokerLimits.maximumSceneSteps).map {
          $0.shortened(toBytes: limit)
        }
      )
    } catch {
      switch DeliveryFailure(error, servesEnvelopes: true) {
      case .notDelivered, .notServed, .exiting:
        return silence("\(id) does not report which scene would receive it")
      case .timedOut:
        return silence(
          "\(id) did not report within \(BrokerLimits.sceneExplanation.components.seconds) s which scene would receive it"
        )
      case .exited, .busDisconnected, .withdrawn, .outcomeUnknown, .lost, .unreadable, .refused:
        let reason = error.message.shortened(toBytes: Delivery.maximumText)
        return silence("\(id) failed to report which scene would receive it: \(reason)")
      }
    }
  }
}
