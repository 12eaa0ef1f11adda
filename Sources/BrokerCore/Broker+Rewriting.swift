// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

extension Broker {
  /// Returns the URL that a route makes of another; `nil` if it keeps it, so that the routes after it decide.
  ///
  /// A route that unwraps or cleans a URL yields to a rule that rejects the URL itself.
  func rewrite(by found: MatchedRoute, _ trace: inout DecisionTrace) -> PassResult? {
    let (match, request, url) = (found.match, found.request, found.url)
    let isShown = match.route.secretCaptures.isEmpty && !trace.hidesPart
    // The new URL may contain a secret part of this one, so its explanation must not appear either.
    if !isShown { trace.tellsWhy = false }
    if match.action.keepsDenials, let restriction = restriction(of: url, before: match, request, &trace) {
      found.note(
        "does not \(match.action.unwraps ? "unwrap" : "clean") it, because another rule rejects the link itself, or asks the user about it",
        &trace)
      return .verdict(restriction)
    }
    switch match.rewriting(of: url, source: request.placeholderSource?.rawValue) {
    case .wrapped(let reason):
      found.note("does not unwrap it, because \(reason)", &trace)
      return nil
    case .invalid:
      found.note("would rewrite it to an invalid URL", &trace)
      return .verdict(.refuse(.denied(reason: "the route “\(match.route.id)” rewrites it to an invalid URL")))
    case .unchanged where !request.isSharedFile && sharesFile(match.route, url, as: url):
      found.note("says that the machine has the same file", &trace)
      return .rewritten(
        url, by: PromptingRoute(match.route).name, isFinal: match.route.rank == .finalAdministrator,
        unwraps: false, isShared: true)
    case .unchanged, nil:
      found.note(
        match.action.comesFirst ? "keeps it as it is" : "rewrites it to itself and has no effect", &trace)
      return nil
    case .url(let next):
      let verb = match.action.unwraps ? "unwraps" : match.action.comesFirst ? "cleans" : "rewrites"
      found.note("\(verb) it to \(isShown ? next.redacted : "another URL, which is not shown")", &trace)
      let isShared = sharesFile(match.route, url, as: next)
      if request.source.machine != nil, next.scheme == "file", !isShared, !request.isSharedFile {
        found.note(
          "does not say that this is a file of the machine: only a route of the user or the administrator does, if it rewrites file: to a "
            + "path without . and .. segments, and names the machine in source.remote without *",
          &trace)
      }
      return .rewritten(
        next, by: PromptingRoute(match.route).name, isFinal: match.route.rank == .finalAdministrator,
        unwraps: match.action.unwraps, isShared: isShared)
    }
  }

  /// Returns the rejection of a URL, or the question about it, that its rules demand if no route unwraps or cleans it; `nil` if they
  /// would open it.
  ///
  /// A rule that denies a URL also denies what the URL leads to. The question of the broker's own policy and the choice of an application
  /// do not count, because they are repeated for the URL that is opened. Neither does the question of a route that also asks about the
  /// cleaned URL.
  private func restriction(
    of url: URLString, before match: RouteMatch<RouteAction>, _ request: OpenRequest,
    _ trace: inout DecisionTrace
  ) -> Decision.Verdict? {
    var wrapped = request
    wrapped.ignoresUnwrapping = true
    if asksAgain(about: match, of: url, wrapped) { return nil }
    var silent = DecisionTrace(tellsSteps: false)
    silent.answered = trace.answered
    let decision = walk(url, of: wrapped, silent)
    trace.answered = decision.answered
    trace.isAllowedByUser = trace.isAllowedByUser || decision.isAllowedByUser
    switch decision.verdict {
    case .refuse(let refusal): return refusal.isByRule ? decision.verdict : nil
    case .ask(let question): return question.choices.isEmpty ? decision.verdict : nil
    case .deliver, .run: return nil
    }
  }

  /// Returns whether one route asks about a URL that is to be cleaned and also about the cleaned URL.
  private func asksAgain(
    about match: RouteMatch<RouteAction>, of url: URLString, _ request: OpenRequest
  ) -> Bool {
    guard !match.action.unwraps, case .url(let next)? = match.rewriting(of: url, source: nil) else {
      return false
    }
    // Whether a question is asked must not depend on its answer.
    var unanswered = request
    (unanswered.answers, unanswered.grants, unanswered.answer) = ([:], [], nil)
    func asker(about url: URLString) -> Question.Reason? {
      let decision = walk(url, of: unanswered, DecisionTrace(tellsSteps: false))
      guard case .ask(let question) = decision.verdict, question.choices.isEmpty else { return nil }
      return question.reason
    }
    guard let first = asker(about: url) else { return false }
    return asker(about: next) == first
  }
}

/// Returns whether a route says that a file of another machine is a file of this one.
private func sharesFile(_ route: Route<RouteAction>, _ url: URLString, as next: URLString) -> Bool {
  url.scheme == "file" && next.scheme == "file" && route.sharesFiles && next.hasPlainPath
}

extension Route<RouteAction> {
  /// A Boolean value that indicates whether the route may say that files of another machine are here: it is the user's or the
  /// administrator's, and names each machine.
  fileprivate var sharesFiles: Bool {
    guard rank == .user || rank == .administrator || rank == .finalAdministrator,
      let remote = conditions.first(where: { $0.name == RouteCondition.Name.remote })
    else { return false }
    return !remote.written.isEmpty && !remote.written.contains { $0.contains("*") }
  }
}

extension URLString {
  /// A Boolean value that indicates whether the URL names a local file by a path without `.` and `..` segments, in any spelling.
  fileprivate var hasPlainPath: Bool {
    guard case .path(let path)? = FileURL.place(of: text) else { return false }
    return path.split(separator: UInt8(ascii: "/")).allSatisfy { $0 != [0x2E] && $0 != [0x2E, 0x2E] }
  }
}
