// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

/// One pass of a URL through the policy: built-in rejections, the routes, the desktop's own files, and then the consent of the user.
struct PolicyPass: Sendable {
  private let routes: RouteLayers
  private let actions: RouteActions
  let consentPolicy: ConsentPolicy
  private let applications: InstalledApplications
  private let handlers: DesktopHandlers

  /// Creates the pass through the routes of `layers`, in their order, and then through the desktop's own files.
  init(
    layers: [RouteLayer], applications: InstalledApplications, handlers: DesktopHandlers,
    grantsLockedBy: String?
  ) {
    self.applications = applications
    self.handlers = handlers
    consentPolicy = ConsentPolicy(applications: applications, grantsLockedBy: grantsLockedBy)
    routes = RouteLayers(
      layers: layers,
      conditions: RouteConditionValues(applications: applications, handlers: handlers))
    actions = RouteActions(applications: applications, consentPolicy: consentPolicy)
  }

  /// Returns the result of the pass.
  ///
  /// - Parameter restriction: Decides the URL itself before a route unwraps or cleans it.
  func result(
    of url: URLString, _ request: OpenRequest, _ trace: inout DecisionTrace,
    restriction: RouteActions.Restriction
  ) -> PassResult {
    guard request.hops <= OpenRequest.maximumHops else {
      return .verdict(.refuse(.tooManyHops(hops: request.hops)))
    }
    if request.caller.source.mayBeSandboxed, request.caller.source.machine == nil, url.scheme == "file" {
      return .verdict(
        .refuse(.denied(reason: "a sandboxed application may not open local files by their path")))
    }
    if request.caller.source.mayBeSandboxed, request.desktopAction != nil {
      return .verdict(
        .refuse(.denied(reason: "a sandboxed application may not request a desktop action for a link")))
    }
    if let refusal = SchemePolicy.refusal(of: url.scheme) { return .verdict(.refuse(refusal)) }
    let normalized: NormalizedURL
    do { normalized = try NormalizedURL(url) } catch {
      return .verdict(.refuse(.unreadable(reason: error.reason)))
    }
    if url.text.utf8.contains(UInt8(ascii: "\\")) {
      trace.note(
        .request,
        "backslashes are passed on unchanged; routes compare them as %5C, and routes that deny or ask also compare them as /"
      )
    } else if normalized.url != url {
      trace.note(.request, "browsers read the host as \(normalized.url.host ?? "")")
    }
    if let target = request.target { trace.note(.request, "the caller requests \(target)") }
    var consent = Consent()
    let decided = byRoutes(
      normalized, request: request, consent: &consent, &trace, restriction: restriction)
    var verdict: Decision.Verdict
    if let refusal = Self.refusal(ofForeign: url, request, decided) { return .verdict(.refuse(refusal)) }
    switch decided {
    case .rewritten(let next, let route, let isFinal, let unwraps, let isShared)?:
      return .rewritten(next, by: route, isFinal: isFinal, unwraps: unwraps, isShared: isShared)
    case .verdict(let found)?: verdict = found
    case nil:
      verdict = byNoRoute(url, request: request, &trace)
    }
    // Neither a route nor the caller's target opens a file by a host, because programs that ignore the host would get
    // past a rule for the path.
    if verdict.opens, let refusal = SchemePolicy.refusal(ofFileURL: url) {
      return .verdict(.refuse(refusal))
    }
    guard !request.state.ignoresUnwrapping else { return .verdict(verdict) }
    if verdict.opens,
      let other = consentPolicy.putSignIn(normalized, request: request, consent: &consent, &trace)
    {
      return .verdict(other)
    }
    guard verdict.opens, !consent.isCallerAuthorized,
      let question = consentPolicy.ownQuestion(normalized.url, request)
    else {
      return .verdict(verdict)
    }
    // The user would see one of the hosts, and the application may connect to another.
    if let reason = normalized.compared.uncertainty { return .verdict(.refuse(.unreadable(reason: reason))) }
    if let other = consentPolicy.put(question, request: request, consent: &consent, &trace) {
      verdict = other
    }
    return .verdict(verdict)
  }

  /// Returns the result of the first route that decides a URL; `nil` if no route does.
  func byRoutes(
    _ normalized: NormalizedURL, request: OpenRequest, consent: inout Consent,
    _ trace: inout DecisionTrace, restriction: RouteActions.Restriction
  ) -> PassResult? {
    routes.decide(normalized, request: request, consent: &consent, &trace) { found, consent, trace in
      actions.carryOut(found, consent: &consent, &trace, restriction: restriction)
    }
  }

  /// Returns the rejection of a link that names something of another machine, from which the request came, unless a route rewrites or
  /// rejects it, or has rewritten it to the path of the same file here; `nil` for every other link.
  private static func refusal(
    ofForeign url: URLString, _ request: OpenRequest, _ decided: PassResult?
  ) -> Refusal? {
    guard request.caller.source.machine != nil, !request.state.isSharedFile,
      let reason = RemoteMachine.refusal(of: url.scheme)
    else { return nil }
    switch decided {
    case .rewritten, .verdict(.refuse): return nil
    case .verdict, nil: return .denied(reason: reason)
    }
  }

  /// Returns the verdict on a URL that no route decides.
  private func byNoRoute(
    _ url: URLString, request: OpenRequest, _ trace: inout DecisionTrace
  ) -> Decision.Verdict {
    if request.isUniversalLinksOnly { return byOwnEntry(url, request: request, &trace) }
    return request.target.map { applications.asked(for: $0, url: url, request: request, &trace) }
      ?? handlers.resolve(url, request: request, &trace)
  }

  /// The schemes that many applications open, so that a handler of one of them is not a dedicated application.
  private static let common: Set<String> = ["http", "https", "file"]

  /// Returns the application whose own desktop entry declares the scheme of the URL.
  private func byOwnEntry(
    _ url: URLString, request: OpenRequest, _ trace: inout DecisionTrace
  ) -> Decision.Verdict {
    guard !Self.common.contains(url.scheme) else {
      trace.note(
        .request,
        "no route names an application for this link, which universal-links-only requires for http, https and file"
      )
      return .refuse(.noUniversalLink)
    }
    let verdict = handlers.resolve(url, request: request, &trace)
    guard case .deliver(let target) = verdict, !target.entry.schemes.contains(url.scheme) else {
      return verdict
    }
    trace.note(
      .candidate,
      "\(target.id) is a default for \(url.scheme):, but its own desktop entry does not declare the scheme")
    return .refuse(.noUniversalLink)
  }
}
