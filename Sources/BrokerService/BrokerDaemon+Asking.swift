import BrokerCore
import BusInterfaces
import Freedesktop
import RouteTables
import Systemd

/// Questions on the way from the decision to the moment at which a request is accepted.
extension BrokerDaemon {
  /// Has a person answer what a decision is about, as far as its caller waits, and decides again by the answers.
  ///
  /// What nobody can be asked about here stays a question, which goes back to the caller.
  ///
  /// - Parameter willWait: is called where a person is asked.
  func answered(
    _ decided: PlannedRequest, _ request: ActiveRequest, _ rules: PolicySnapshot,
    willWait: @Sendable () -> Void = {}
  ) async -> (PlannedRequest, PolicySnapshot) {
    var (decided, rules) = (decided, rules)
    await keepAnswers(decided)
    var asked: Set<Question.Identity> = []
    // The program's come one at a time: a page has as many origins as it likes.
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
      // Whoever gave it up waits for no other question.
      guard requests[request.key]?.isWithdrawn != true else { break }
      var known = decided.request
      switch word {
      case .answered(let answer): known.answers[question.identity] = answer
      case .silent(let reason): known.unanswered[question.identity] = reason
      case .noWay: continue
      }
      // Files may have changed while the person thought.
      rules = await self.rules()
      decided = await self.decided(known, rules)
    }
    return (decided, rules)
  }

  /// Keeps what the caller says that a person answered.
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

  /// The application that opens the URL once it is allowed.
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
