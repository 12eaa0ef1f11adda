import BrokerCore
import BusInterfaces
import Freedesktop
import RouteTables
import Systemd

/// Prompts between the decision and the acceptance of a request.
extension BrokerDaemon {
  /// Prompts the user for the questions of a decision while its caller waits, and decides again with the answers.
  ///
  /// A question that cannot be shown stays in the decision and is returned to the caller.
  ///
  /// - Parameter willWait: Called before each prompt.
  func answered(
    _ decided: PlannedRequest, _ request: ActiveRequest, _ rules: PolicySnapshot,
    willWait: @Sendable () -> Void = {}
  ) async -> (PlannedRequest, PolicySnapshot) {
    var (decided, rules) = (decided, rules)
    await keepAnswers(decided)
    var asked: Set<Question.Identity> = []
    // Prompts are shown one at a time for each program, because a program can invent any number of origins.
    let questioner = decided.request.questioner?.rawValue ?? request.charged.text
    while let question = decided.shares.compactMap(\.question).first(where: { !asked.contains($0.identity) })
    {
      asked.insert(question.identity)
      willWait()
      let query = await query(question, decided.request, rules)
      let asking = loop.start { [asker] in
        await asker.ask(
          query, for: questioner, timeout: BootClock.until(request.deadline))
      }
      requests[request.key]?.asking = asking
      let word = await asking.value
      // A caller that cancelled the request needs no further answers.
      guard requests[request.key]?.isWithdrawn != true else { break }
      var known = decided.request
      switch word {
      case .answered(let answer): known.answers[question.identity] = answer
      case .silent(let reason): known.unanswered[question.identity] = reason
      case .noWay: continue
      }
      // Files may have changed while the user was prompted.
      rules = await self.rules()
      decided = await self.decided(known, rules)
    }
    return (decided, rules)
  }

  /// Stores the answers of the user that the caller reports.
  private func keepAnswers(_ decided: PlannedRequest) async {
    await grants.keep(decided.shares.flatMap(\.answered).map { ($0.answer, $0.question) })
  }

  private func query(
    _ question: Question, _ request: OpenRequest, _ rules: PolicySnapshot
  ) async -> PromptService.Query {
    let (opener, text) = await files.run {
      let opener = Self.opener(of: question, request, rules)
      let text = QuestionText(question, opener: opener) { id in
        rules.catalog.load(id, programs: rules.programs).entry?.name()
      }
      return (opener, text)
    }
    return PromptService.Query(
      question: question, text: text,
      candidates: question.choices.isEmpty ? opener.map { [$0] } ?? [] : question.choices,
      environment: await currentEnvironment())
  }

  /// Returns the application that would open the URL with consent; `nil` if none would.
  private static func opener(
    of question: Question, _ request: OpenRequest, _ rules: PolicySnapshot
  ) -> ApplicationID? {
    guard question.choices.isEmpty else { return nil }
    var request = request
    request.answers[question.identity] = .yes
    guard case .deliver(let target) = rules.broker.decide(question.url, of: request).verdict else {
      return nil
    }
    return target.id
  }
}
