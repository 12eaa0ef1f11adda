import Freedesktop
public import RouteTables

/// What has become certain on the way through the rules, for one URL in one of its rounds.
struct Consent {
  /// Whether a rule or a person has said that it may be opened: what later rules would refuse or ask is passed over.
  var isGiven = false
  /// Whether who asks was weighed already: by consent, or by a route that names who.
  var isSettled = false
}

/// How an answer is known.
private enum AnswerOrigin: String {
  /// A person was asked about this request.
  case now = ""
  case caller = ", as the caller says"
  case grant = ", as was said before"
}

extension Broker {
  /// Asks, unless the answer is known.
  ///
  /// - Returns: how the round ends, or `nil` where it goes on because a person has allowed it.
  func put(
    _ question: Question, _ request: OpenRequest, _ consent: inout Consent, _ course: inout DecisionTrace
  ) -> Decision.Verdict? {
    var question = question
    if let file = grantsLockedBy {
      question = question.unstored(because: file)
      course.note(.request, "no stored answer counts: grants are switched off by \(file)")
    }
    guard let (answer, how) = known(question, request, &course) else {
      return request.unanswered[question.identity].map { .refuse(.denied(reason: $0)) } ?? .ask(question)
    }
    if answer != .no, how == .now { course.isAllowedByPerson = true }
    switch answer {
    case .no:
      course.note(.request, "a person refuses it\(how.rawValue)")
      return .refuse(.denied(reason: refusal(of: question, how)))
    case .yes:
      course.note(.request, "a person allows it\(how.rawValue)")
      consent = Consent(isGiven: true, isSettled: true)
      return nil
    case .application(let id):
      course.note(.request, "a person chooses \(id)\(how.rawValue)")
      consent = Consent(isGiven: true, isSettled: true)
      return question.choices.isEmpty ? nil : application(id, &course)
    }
  }

  /// The answer to a question, and how it is known.
  private func known(
    _ question: Question, _ request: OpenRequest, _ course: inout DecisionTrace
  ) -> (Answer, how: AnswerOrigin)? {
    if let answer = request.answers[question.identity], question.takes(answer) { return (answer, .now) }
    // What a sandboxed application says that a person said is not to be believed.
    if !request.source.mayBeSandboxed,
      let word = request.answer(toQuestion: course.answered.count),
      let answer = Answer(word, resolver.catalog), question.takes(answer)
    {
      course.answered.append(.init(question: question, answer: answer))
      return (answer, .now)
    }
    // Who may name any target has chosen, if it is one of those.
    if !request.source.mayBeSandboxed, let target = request.target, question.choices.contains(target) {
      return (.application(target), .caller)
    }
    let grants = request.grants.filter { grant in
      grant.scope == question.scope && question.takes(grant.answer)
        && (grant.scope.source == nil || grant.assurance <= request.source.assurance)
    }
    return grants.max { $0.assurance < $1.assurance }.map { ($0.answer, .grant) }
  }

  /// The routes that ask a person and have this name, as `owner/id` or as the ID alone, with what they keep answers for.
  public func askingRoutes(named name: String) -> [(
    route: PromptingRoute, remembered: [RouteAction.AnswerKey]
  )] {
    layers.flatMap(\.table.routes).compactMap { route in
      guard case .ask(_, let remembered) = route.action else { return nil }
      let asking = PromptingRoute(route)
      return route.id == name || asking.name == name ? (asking, remembered) : nil
    }
  }

  /// The names of the administrator's final routes that deny some or all links of a scheme.
  public func finalDenials(of scheme: String?) -> [String] {
    guard let scheme else { return [] }
    return layers.flatMap(\.table.routes).compactMap { route in
      guard case .deny = route.action, route.rank == .finalAdministrator,
        route.patterns.contains(where: { $0.mayMatch(scheme: scheme) })
      else { return nil }
      return PromptingRoute(route).name
    }
  }

  private func refusal(of question: Question, _ how: AnswerOrigin) -> String {
    guard how != .now, let scope = question.scope else { return "a person refused it" }
    var route: String?
    if case .route(let asking) = scope.asker { route = asking.name }
    let options = [
      scope.source.map { "--source \($0)" }, scope.origin.map { "--origin \($0)" },
      scope.scheme.map { "--scheme \($0)" }, scope.host.map { "--host \($0)" },
      route.map { "--route \($0)" },
    ]
    let words = options.compactMap(\.self).joined(separator: " ")
    return "a person refused such links before; “usher grants revoke \(words)” has it asked again"
  }

  /// What is asked where no rule has weighed who wants a URL opened; `nil` where nothing is.
  ///
  /// What runs as the same user outside a sandbox may open what is registered: it could start any program itself.
  func ownQuestion(_ url: URLString, _ request: OpenRequest) -> Question? {
    if request.source.mayBeSandboxed {
      let scope = request.questioner.map { GrantScope(source: $0, scheme: url.scheme, isSandboxed: true) }
      return Question(.sandbox, about: url, from: request.source, keptFor: scope)
    }
    guard !request.isByClick, let origin = request.origin.flatMap(WebOrigin.init) else { return nil }
    let scope =
      origin == .opaque ? nil : GrantScope(origin: origin, scheme: url.scheme, isSandboxed: false)
    return Question(.web(origin), about: url, from: request.source, keptFor: scope)
  }

  /// Whether a route's conditions weigh who asks, so that nobody need be asked about that again.
  func weighsSource(_ route: Route<RouteAction>, of request: OpenRequest) -> Bool {
    route.conditions.contains { condition in
      switch condition.name {
      case RouteCondition.Name.source: maySettle(request.source)
      case RouteCondition.Name.origin: !request.source.mayBeSandboxed
      default: false
      }
    }
  }

  /// Whether a route that names this source may mean it: in a sandbox a name is worth something only where the kernel or
  /// the user manager gave it, and an origin is its own word.
  private func maySettle(_ source: SourceApplication) -> Bool {
    !source.mayBeSandboxed || source.assurance >= .unit
  }

  /// A program and an action can do anything, so a sandboxed application gets them only from a route that names it.
  func refusal(toSandboxed request: OpenRequest, of route: Route<RouteAction>) -> Refusal? {
    guard request.source.mayBeSandboxed else { return nil }
    guard route.conditions.contains(where: { $0.name == RouteCondition.Name.source }) else {
      return .denied(
        reason:
          "the route “\(route.id)” does not say which sandboxed applications may have it done: add their IDs as `source.application`"
      )
    }
    guard maySettle(request.source) else {
      return .denied(
        reason:
          "the route “\(route.id)” names who may ask, and nothing but its own word says that it is that one")
    }
    return nil
  }
}

/// A question, and what a person said to it just now.
public struct AnsweredQuestion: Hashable, Sendable {
  /// What was asked.
  public let question: Question
  /// What was said.
  public let answer: Answer
}

/// The steps of a decision so far, and what was learned on the way.
struct DecisionTrace {
  /// Whether the steps are wanted; to write them takes a third of a decision.
  var tellsSteps = true
  var steps: [ExplanationStep] = []
  var answered: [AnsweredQuestion] = []
  var isAllowedByPerson = false
  /// Whether the steps are to say why a route decides, and which nearly would.
  var tellsWhy = false
  /// The URL as it may be shown.
  var shownURL: String?
  /// Whether something of the URL of this round is not shown.
  var hidesPart = false

  mutating func note(_ subject: ExplanationStep.Subject, _ text: @autoclosure () -> String) {
    if tellsSteps { steps.append(ExplanationStep(subject, text())) }
  }
}
