// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Systemd

/// Puts the questions of decisions to the user while their callers wait.
@BrokerActor
final class QuestionService {
  private let environment: SessionEnvironment
  private let files: FileThread
  private let grants: GrantRepository
  private let prompts: PromptService
  private let relays: SignInRelays
  private let journal: RequestJournal
  private let quotas: QuotaTracker
  private let reporter: CallerReporter
  private let deadlines: DecisionDeadlines

  init(
    on bus: BusConnection, environment: SessionEnvironment, files: FileThread, grants: GrantRepository,
    prompts: PromptService, journal: RequestJournal, quotas: QuotaTracker, reporter: CallerReporter,
    deadlines: DecisionDeadlines
  ) {
    self.environment = environment
    self.files = files
    self.grants = grants
    self.prompts = prompts
    relays = SignInRelays(bus: bus)
    self.journal = journal
    self.quotas = quotas
    self.reporter = reporter
    self.deadlines = deadlines
  }

  /// Prompts the user for the open questions of a decision, one after the other.
  ///
  /// A question that cannot be shown stays in the decision and is returned to the caller.
  ///
  /// - Parameters:
  ///   - mayOutliveCaller: Whether the request may be stored while the user is asked; `false` for its fallback.
  ///   - willWait: Called before each prompt.
  ///   - decideAgain: Decides the request by the current policy and grants, with the answers so far. Both may have changed while the user
  ///     was asked.
  /// - Returns: The last decision.
  /// - Throws: `DecisionDeadlines.exceeded` if a disk does not respond in time, so that nothing may be opened.
  func answer(
    _ planned: PlannedRequest, for active: ActiveRequest, mayOutliveCaller: Bool,
    willWait: @BrokerActor () -> Void,
    decidingAgain decideAgain: @escaping @BrokerActor (OpenRequest) async -> PlannedRequest
  ) async throws(BusError) -> PlannedRequest {
    var planned = planned
    // Answers that the caller reports.
    await grants.keep(
      planned.groups.flatMap(\.answered).map { ($0.answer, .link($0.question)) },
      statedBy: active.caller.charged)
    var asked: Set<Question.Identity> = []
    var isUserAway = false
    var token: String?
    var texts: [Question.Identity: QuestionText] = [:]
    while let group = planned.groups.first(where: { $0.question.map { !asked.contains($0.identity) } == true }
    ),
      let question = group.question
    {
      asked.insert(question.identity)
      willWait()
      var request = planned.request
      // The user is not asked in vain.
      if case .signIn(let redirect) = question.reason,
        let obstacle = await relays.obstacle(to: redirect, of: active)
      {
        request.answers.obstacles[question.identity] = obstacle
        planned = try await deadlines.result(since: .now) { [request] in await decideAgain(request) }
        continue
      }
      let query = try await deadlines.result(since: .now) { [planned] in
        await self.query(question, openedBy: group.applicationAfterConsent, for: active, planned)
      }
      let response =
        isUserAway
        ? .unanswered : await show(query, about: request, for: active, mayOutliveCaller: mayOutliveCaller)
      // No caller's timeout limits the number of prompts then.
      if response == .unanswered, active.hasCallerLeft { isUserAway = true }
      // A caller that cancelled the request needs no further answers.
      guard !active.isWithdrawn else { break }
      switch response {
      case .answered(let answer, let newer):
        token = newer ?? token
        if case (.signIn(let redirect), .yes) = (question.reason, answer),
          let obstacle = await relays.announce(redirect, of: active)
        {
          request.answers.unanswered[question.identity] = obstacle
        } else {
          request.answers.given[question.identity] = answer
        }
      case .silent(let reason): request.answers.unanswered[question.identity] = reason
      // A prompt may have been shown for some time before its mechanism failed.
      case .unavailable: texts[question.identity] = query.text
      }
      planned = try await deadlines.result(since: .now) { [request] in await decideAgain(request) }
    }
    planned.activationToken = token
    planned.texts = texts
    return planned
  }

  /// Shows a prompt until the user answers, the time for the answer ends, or the caller cancels the request.
  ///
  /// - Parameter mayOutliveCaller: Whether the request may be stored while the prompt is shown, so that its caller may leave.
  private func show(
    _ query: PromptService.Query, about request: OpenRequest, for active: ActiveRequest,
    mayOutliveCaller: Bool
  ) async -> PromptResponse {
    let caller = request.caller.verifiedQuestioner?.rawValue ?? active.caller.charged.text
    // Prompts are shown one at a time for each program, because a program can invent any number of origins. Those for an unverified name
    // delay none of the application that has it.
    let questioner =
      request.caller.verifiedQuestioner == nil
      ? request.caller.questioner.map { "claimed \($0)" } ?? caller : caller
    let timeout: @BrokerActor () -> Duration? = { [journal, quotas] in
      let isLeft = mayOutliveCaller && active.outliveCaller(askingAbout: request, in: journal, quotas)
      return isLeft || active.hasCallerLeft ? nil : active.times.deadline - .now
    }
    let shown: @BrokerActor () -> Void = { [reporter] in
      if active.options.prompt == .announce { reporter.reportPrompt(about: active) }
    }
    let prompt = BrokerActor.loop.start { [prompts] in
      await prompts.ask(query, for: questioner, countedFor: caller, shown: shown, timeout: timeout)
    }
    active.prompt = prompt
    // The caller may have cancelled the request while the relay was asked.
    if active.isWithdrawn { prompt.cancel() }
    return await prompt.value
  }

  private func query(
    _ question: Question, openedBy opener: ApplicationID?, for active: ActiveRequest,
    _ planned: PlannedRequest
  ) async -> PromptService.Query {
    let (broker, browsers) = (planned.policy.broker, planned.request.system.browsers)
    let candidates = question.choices.isEmpty ? opener.map { [$0] } ?? [] : question.choices
    let (text, areApplications) = await files.run {
      (
        QuestionText(
          question, opener: opener,
          isBrowser: { id in browsers?.contains { $0.id == broker.programID(of: id) } == true },
          title: { broker.title(of: $0, browsers: browsers) }),
        // The portal's chooser shows desktop entries, and a profile has none.
        candidates.allSatisfy { broker.programID(of: $0) == $0 }
      )
    }
    return PromptService.Query(
      question: .link(question), text: text, candidates: areApplications ? candidates : [],
      environment: await environment.current(), session: active.facts.session,
      tokens: active.caller.tokens)
  }
}
