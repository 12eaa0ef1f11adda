public import Freedesktop
public import RouteTables

/// The rules of this desktop at one moment, and the decision by them.
///
/// Pure but for reading the desktop's files through the resolver, and for local files where the request does not say
/// what they are: no bus, no process, no clock.
public struct Broker: Sendable {
  let layers: [RouteLayer]
  let resolver: ApplicationResolver
  let programs: ProgramSearch
  /// The file by which the administrator has switched grants off: no answer is stored, and none that was stored counts.
  public let grantsLockedBy: String?
  /// What was chosen before; `nil` where it is found out each time.
  var choices: (any HandlerCaching)?

  /// A broker that decides by `layers`, in their order, and then by the desktop's own files.
  public init(
    layers: [RouteLayer], resolver: ApplicationResolver, programs: ProgramSearch,
    grantsLockedBy: String? = nil
  ) {
    self.layers = layers
    self.resolver = resolver
    self.programs = programs
    self.grantsLockedBy = grantsLockedBy
  }

  /// How a round of the decision ends.
  enum Round {
    case verdict(Decision.Verdict)
    /// A route put another URL in the place of this one.
    case rewritten(URLString)
  }

  /// Decides what becomes of one URL of a request.
  ///
  /// - Parameter tellsWhy: whether the explanation names the routes that lost, and those that nearly match, and nothing in it
  ///   shows what routes call secret: that takes some milliseconds.
  public func decide(_ url: URLString, of request: OpenRequest, tellsWhy: Bool = false) -> Decision {
    decide(url, of: request, DecisionTrace(tellsWhy: tellsWhy))
  }

  /// The same, as far as `course` wants to be told.
  func decide(_ url: URLString, of request: OpenRequest, _ course: DecisionTrace) -> Decision {
    request.isUniversalLinksOnly
      ? decideUniversalLink(url, of: request, course) : walk(url, of: request, course)
  }

  /// The way of one URL through the rules, round by round.
  func walk(_ url: URLString, of request: OpenRequest, _ course: DecisionTrace) -> Decision {
    var (url, request, course) = (url, request, course)
    while true {
      switch round(url, request, &course) {
      case .rewritten(let next):
        url = next
        request.hops += 1
      case .verdict(let verdict):
        course.note(.verdict, verdict.description)
        return Decision(
          url: url, verdict: verdict, explanation: course.steps, answered: course.answered,
          isAllowedByPerson: course.isAllowedByPerson, shownURL: course.shownURL)
      }
    }
  }

  private func round(_ url: URLString, _ request: OpenRequest, _ course: inout DecisionTrace) -> Round {
    guard request.hops <= OpenRequest.maximumHops else { return .verdict(.refuse(.loop(hops: request.hops))) }
    if request.source.mayBeSandboxed, url.scheme == "file" {
      return .verdict(
        .refuse(.denied(reason: "a sandboxed application may not open local files by their path")))
    }
    if request.source.mayBeSandboxed, request.desktopAction != nil {
      return .verdict(.refuse(.denied(reason: "a sandboxed application may not choose another's action")))
    }
    if let refusal = SchemePolicy.refusal(of: url.scheme) { return .verdict(.refuse(refusal)) }
    let normalized: NormalizedURL
    do { normalized = try NormalizedURL(url) } catch {
      return .verdict(.refuse(.unreadable(reason: error.reason)))
    }
    if normalized.url != url {
      course.note(.request, "browsers read the host as \(normalized.url.host ?? "")")
    }
    if let target = request.target { course.note(.request, "the caller asks for \(target)") }
    var consent = Consent()
    let decided = byRoutes(normalized, request, &consent, &course)
    var verdict: Decision.Verdict
    switch decided {
    case .rewritten(let next): return .rewritten(next)
    case .verdict(let found): verdict = found
    case nil:
      verdict = byNoRoute(url, request, &course)
    }
    guard verdict.opens, !consent.isSettled, let question = ownQuestion(normalized.url, request) else {
      return .verdict(verdict)
    }
    if let other = put(question, request, &consent, &course) { verdict = other }
    return .verdict(verdict)
  }

  /// What becomes of a URL that no route says anything of.
  private func byNoRoute(
    _ url: URLString, _ request: OpenRequest, _ course: inout DecisionTrace
  ) -> Decision.Verdict {
    if request.isUniversalLinksOnly { return byOwnEntry(url, request, &course) }
    return request.target.map { asked(for: $0, url, request, &course) } ?? resolve(url, request, &course)
  }

  /// The application that the caller wants.
  func asked(
    for id: ApplicationID, _ url: URLString, _ request: OpenRequest, _ course: inout DecisionTrace
  ) -> Decision.Verdict {
    let verdict = application(id, &course)
    guard case .deliver(let target) = verdict, request.source.mayBeSandboxed,
      !target.entry.schemes.contains(url.scheme)
    else { return verdict }
    return .refuse(
      .denied(
        reason: "a sandboxed application may ask \(id) only for what it opens, which \(url.scheme): is not"))
  }

  /// The application of an ID, if it can open anything.
  func application(
    _ id: ApplicationID, performing action: String? = nil, _ course: inout DecisionTrace
  ) -> Decision.Verdict {
    guard id != .usherHandler else {
      return .refuse(.noApplication(id.rawValue, reason: "that is Usher itself, which opens nothing"))
    }
    let (entry, refused) = resolver.catalog.load(id, programs: programs)
    for (location, refusal) in refused {
      course.note(.candidate, "\(location.path) is passed over: \(refusal)")
    }
    guard let entry, !entry.isHidden else {
      guard let (location, refusal) = refused.first else {
        return .refuse(.noApplication(id.rawValue, reason: "it is not installed"))
      }
      let reason = "\(location.path): \(refusal)"
      return .refuse(
        refusal.isAboutProgram
          ? .noProgram(id.rawValue, reason: reason) : .noApplication(id.rawValue, reason: reason))
    }
    if let action, entry.action(action) == nil {
      let known = entry.actions().map(\.id).joined(separator: ", ")
      let reason = "its entry has no action “\(action)”\(known.isEmpty ? "" : "; it has \(known)")"
      return .refuse(.noApplication(id.rawValue, reason: reason))
    }
    return .deliver(TargetApplication(id: id, entry: entry, desktopAction: action))
  }

  func resolve(
    _ url: URLString, _ request: OpenRequest, _ course: inout DecisionTrace
  ) -> Decision.Verdict {
    guard let scheme = URLScheme(url.scheme) else { return .refuse(.noHandler(scheme: url.scheme)) }
    if let place = FileURL.place(of: url.text) { return file(at: place, request, &course) }
    if !course.tellsSteps, let known = choices?.choice(for: scheme) { return .deliver(known) }
    let resolution = resolution(of: scheme)
    let verdict = take(resolution, otherwise: .noHandler(scheme: scheme.rawValue), &course)
    if case .deliver(let application) = verdict, let choices, let places = resolver.places(behind: resolution)
    {
      choices.keep(application, for: scheme, restingOn: places)
    }
    return verdict
  }

  /// The application for a scheme, without ourselves: we are what the desktop's files name so that links come here.
  func resolution(of scheme: URLScheme) -> Resolution {
    resolver.resolve(scheme, excluding: [.usherHandler], listing: false)
  }

  /// The verdict that a resolution comes to, with its candidates as steps.
  func take(
    _ resolution: Resolution, otherwise refusal: Refusal, _ course: inout DecisionTrace
  ) -> Decision.Verdict {
    for candidate in resolution.candidates { course.note(.candidate, "\(candidate)") }
    for diagnostic in resolution.diagnostics { course.note(.candidate, "\(diagnostic)") }
    guard let entry = resolution.application, let id = entry.id else {
      return .refuse(resolution.firstWithoutProgram ?? refusal)
    }
    return .deliver(TargetApplication(id: id, entry: entry))
  }
}

extension Broker {
  /// The application that would get a URL if there were no routes.
  func applicationWithoutRoutes(_ url: URLString, _ request: OpenRequest) -> ApplicationID? {
    var course = DecisionTrace(tellsSteps: false)
    guard case .deliver(let target) = resolve(url, request, &course) else { return nil }
    return target.id
  }
}

extension Decision.Verdict {
  /// Whether somebody gets the URL.
  var opens: Bool {
    switch self {
    case .deliver, .run: true
    case .ask, .refuse: false
    }
  }
}

extension Decision.Verdict: CustomStringConvertible {
  /// The verdict in a sentence.
  public var description: String {
    switch self {
    case .deliver(let target):
      target.desktopAction.map { "\(target.id) performs “\($0)”" } ?? "\(target.id) opens it"
    case .run(let command): "\(command.arguments.first ?? "") is run for it, by the route “\(command.route)”"
    case .ask(let question): question.description
    case .refuse(let refusal): refusal.description
    }
  }
}

extension Resolution {
  /// The first application that is registered and only lacks its program: its absence is what to tell.
  fileprivate var firstWithoutProgram: Refusal? {
    for candidate in candidates {
      guard case .unusable(let refused) = candidate.verdict,
        let first = refused.first(where: { $0.refusal.isAboutProgram })
      else { continue }
      let id = ApplicationID(candidate.name)?.rawValue ?? candidate.name
      return .noProgram(id, reason: "\(first.path): \(first.refusal)")
    }
    return nil
  }
}

extension EntryError {
  /// Whether all that is missing is the program.
  fileprivate var isAboutProgram: Bool {
    switch self {
    case .programNotFound, .programNotExecutable, .tryExecNotFound: true
    default: false
    }
  }
}
