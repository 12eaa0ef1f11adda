// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

/// The origin of an answer.
private enum AnswerOrigin: String {
  /// The user was prompted for this request.
  case now = ""
  case caller = " (stated by the caller)"
  case grant = " (stored answer)"
}

/// The part of the policy that requires the user's consent: the questions of the broker's own rules, and the known answers to questions.
struct ConsentPolicy: Sendable {
  let applications: InstalledApplications
  /// The file with which the administrator disables grants, or `nil`.
  ///
  /// If it is set, stored answers are ignored.
  let grantsLockedBy: String?

  /// Evaluates a question with the known answers.
  ///
  /// Returns the verdict, or `nil` if the user has allowed the URL and the decision continues. If no answer is known,
  /// the verdict is `ask`, or a rejection if the prompt failed before.
  func put(
    _ question: Question, request: OpenRequest, consent: inout Consent, _ trace: inout DecisionTrace
  ) -> Decision.Verdict? {
    var question = question
    question.target = request.target
    if let reason = Self.eachLinkReason(for: question.url, of: request) {
      question = question.askedEachTime(because: reason)
    }
    if let file = grantsLockedBy {
      question = question.unstored(because: file)
      trace.note(.request, "stored answers are ignored, because grants are disabled by \(file)")
    }
    guard let (answer, how, grant) = known(question, request: request, &trace) else {
      if let obstacle = request.answers.obstacles[question.identity] {
        return .refuse(.denied(reason: obstacle))
      }
      return request.answers.unanswered[question.identity].map { .refuse(.declined(reason: $0)) }
        ?? .ask(question)
    }
    if answer != .no, how == .now { trace.isAllowedByUser = true }
    switch answer {
    case .no:
      trace.note(.request, "the user refused the link\(how.rawValue)")
      let reason = grant.map(Self.refusal) ?? "the user refused it"
      return .refuse(how == .now ? .declined(reason: reason) : .denied(reason: reason))
    case .yes:
      trace.note(.request, "the user allowed the link\(how.rawValue)")
      consent = Consent(isGiven: true, isCallerAuthorized: true)
      return nil
    case .application(let id):
      trace.note(.request, "the user chose \(id)\(how.rawValue)")
      consent = Consent(isGiven: true, isCallerAuthorized: true)
      return applications.application(id, of: request, &trace)
    }
  }

  /// Returns the reason for which the user is asked about each such link of another machine; `nil` if stored answers apply.
  private static func eachLinkReason(for url: URLString, of request: OpenRequest) -> Question.EachLinkReason?
  {
    guard request.caller.source.machine != nil else { return nil }
    if leadsIntoLocalNetwork(url) { return .localNetwork }
    // The user is asked about a further sign-in anyway.
    guard request.caller.signInWaits, ["http", "https"].contains(url.scheme),
      LoopbackRedirect.Reading(url) == .absent
    else { return nil }
    return .waitingSignIn
  }

  /// Web links whose host is this machine or in one of its private networks.
  private static let localNetworkPattern = try? RoutePattern(
    "{:http|https|ws|wss|ftp}://{host:local-network}/{path...?}")

  /// Returns whether a link of the web leads to this machine or into one of its private networks.
  private static func leadsIntoLocalNetwork(_ url: URLString) -> Bool {
    guard let pattern = localNetworkPattern, let authority = try? URLAuthority(url.text) else { return true }
    return pattern.mayMatch(authority)
  }

  /// Returns the answer to a question, its origin, and the grant that it comes from; `nil` if it is unknown.
  private func known(
    _ question: Question, request: OpenRequest, _ trace: inout DecisionTrace
  ) -> (Answer, how: AnswerOrigin, grant: Grant?)? {
    if let answer = request.answers.given[question.identity], question.takes(answer) {
      return (answer, .now, nil)
    }
    // The answer that a sandboxed caller reports is not credible, because the caller could invent it.
    if !request.caller.source.mayBeSandboxed,
      let word = request.answers.reportedAnswer(toQuestion: trace.answered.count),
      let answer = Answer(word, applications.catalog), question.takes(answer)
    {
      trace.answered.append(.init(question: question, answer: answer))
      return (answer, .now, nil)
    }
    // A caller outside a sandbox may name any target, so a target among the choices counts as its answer.
    if !request.caller.source.mayBeSandboxed, let target = request.target, question.choices.contains(target) {
      return (.application(target), .caller, nil)
    }
    let grants = request.answers.grants.filter { grant in
      (grant.scope == question.scope || grant.scope == question.refusingScope && grant.answer == .no)
        && question.takes(grant.answer)
        && (grant.scope.source == nil || grant.assurance <= request.caller.source.assurance)
    }
    return grants.max { $0.assurance < $1.assurance }.map { ($0.answer, .grant, $0) }
  }

  /// Returns the reason of a stored refusal, as a sentence for the user.
  private static func refusal(by grant: Grant) -> String {
    let time = grant.lastDay.map { "until \($0) (UTC)" } ?? "without expiry"
    return
      "you have refused such links, and your answer is stored \(time); to be asked again, run: usher grants revoke \(grant.scope.options)"
  }

  /// Returns the question of the broker's own policy if no rule has authorized the caller; `nil` if no prompt is needed.
  ///
  /// A program of the same user outside a sandbox needs no consent for registered schemes, because it could start any
  /// application itself.
  func ownQuestion(_ url: URLString, _ request: OpenRequest) -> Question? {
    if request.caller.source.mayBeSandboxed {
      let caller = request.caller
      var scope = caller.questioner.map { GrantScope(source: $0, scheme: url.scheme, isSandboxed: true) }
      if scope == nil, let container = caller.container?.scope {
        scope = GrantScope(container: container, scheme: url.scheme, isSandboxed: true)
      }
      if let machine = caller.source.machine {
        // An answer about one file does not apply to other files, because the machine may write them.
        scope =
          request.state.isSharedFile
          ? nil : GrantScope(machine: machine, scheme: url.scheme, isSandboxed: true)
      }
      return Question(
        .sandbox, about: url, from: caller.identifiedSource, in: caller.container, keptFor: scope)
    }
    guard !request.caller.isByClick, let origin = request.caller.origin.flatMap(WebOrigin.init) else {
      return nil
    }
    let scope =
      origin == .opaque ? nil : GrantScope(origin: origin, scheme: url.scheme, isSandboxed: false)
    return Question(.web(origin), about: url, from: request.caller.source, keptFor: scope)
  }

  /// Returns the verdict on a link of another machine that signs in; `nil` for any other link, and after the user has allowed it.
  ///
  /// A program of that machine signs in, and its site redirects the browser to a port of the program (RFC 8252, section 7.3). The user is
  /// asked for each sign-in, whatever routes and stored answers allow. A stored refusal of such links applies.
  func putSignIn(
    _ normalized: NormalizedURL, request: OpenRequest, consent: inout Consent, _ trace: inout DecisionTrace
  ) -> Decision.Verdict? {
    guard request.caller.source.machine != nil else { return nil }
    switch LoopbackRedirect.Reading(normalized.original) {
    case .absent: return nil
    case .refused(let reason): return .refuse(.denied(reason: reason))
    case .redirect(let redirect):
      trace.note(
        .request,
        "the link signs in at \(redirect.site) for a program at port \(redirect.port) of the other machine")
      // The user would see one of the hosts, and the browser may connect to another.
      if let reason = normalized.compared.uncertainty { return .refuse(.unreadable(reason: reason)) }
      guard request.urls.count == 1 else {
        return .refuse(
          .denied(reason: "a sign-in of another machine is a request of its own; open its link alone"))
      }
      var question = Question(.signIn(redirect), about: normalized.url, from: request.caller.source)
      if !consent.isCallerAuthorized { question.refusingScope = ownQuestion(normalized.url, request)?.scope }
      return put(question, request: request, consent: &consent, &trace)
    }
  }
}
