// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import Logging
import RouteTables
import Systemd

/// A service that prompts the user: one prompt at a time for each source, and one prompt for equal questions of several requests.
@BrokerActor
final class PromptService {
  /// A question with everything that a prompt needs.
  struct Query: Sendable {
    let question: UserQuestion
    let text: QuestionText
    /// The applications for a chooser; empty for a question about a permission.
    let candidates: [ApplicationID]
    /// The environment of programs.
    let environment: [String: String]
    /// The session of the caller, in which the prompt is shown.
    let session: CallerSession
    /// The tokens of the caller, with which a window of a program comes to the front; `nil` if there are none.
    let tokens: CallerTokens?
  }

  private struct Queue {
    /// The task that ends when the last question and all before it have ended.
    var last: Task<Void, Never>
    /// The number of open and waiting questions.
    var questions = 0
  }

  private struct OpenQuestion {
    let response: Task<PromptResponse, Never>
    /// The machine that asks to sign in or to register a scheme; `nil` for other questions.
    let pausedMachine: RemoteMachine?
    /// Fulfilled with `nil` when the question may be shown, or with the response to one that ends while it waits for its turn.
    let turn: Promise<PromptResponse?>
    /// Fulfilled when a prompt is shown; `false` if none is.
    let shown: Promise<Bool>
    /// Fulfilled when the prompt has ended, or has no effect any more and is to be closed.
    let closing: Promise<Void>
    /// The number of requests that wait for the answer.
    var waiting = 0
  }

  private let bus: BusConnection
  private let probe: PromptCapabilityProbe
  private let log: Logger
  private let launcher: ProgramLauncher
  private let grants: GrantRepository
  private let identification: CallerIdentification
  private var open: [UserQuestion.Identity: OpenQuestion] = [:]
  private var queues: [String: Queue] = [:]
  /// The number of open and waiting questions of each caller.
  private var counts: [String: Int] = [:]
  private var pauses: [UserQuestion.Identity: ContinuousClock.Instant] = [:]
  /// The pauses of the machines of which the user has not allowed a sign-in or a registration, or that have withdrawn one.
  private var refusalPauses: [RemoteMachine: RefusalPause] = [:]
  /// A Boolean value that indicates whether the broker exits, so that no question is shown and no request gets a response.
  private var isClosed = false

  init(
    on bus: BusConnection, probe: PromptCapabilityProbe, launcher: ProgramLauncher, grants: GrantRepository,
    identifyingBy identification: CallerIdentification, log: Logger
  ) {
    self.bus = bus
    self.probe = probe
    self.identification = identification
    self.launcher = launcher
    self.grants = grants
    self.log = log
  }

  /// Returns the user's answer.
  ///
  /// - Parameters:
  ///   - questioner: The source whose questions are shown one at a time.
  ///   - caller: The caller whose questions are limited; `nil` if it is the source.
  ///   - shown: Called when a prompt is shown; `nil` if the caller does not want to know.
  ///   - timeout: Returns how long to wait, or `nil` to wait as long as the prompt is shown. Called when no limit and no pause prevents the
  ///     question.
  func ask(
    _ query: Query, for questioner: String, countedFor caller: String? = nil,
    shown: (@BrokerActor () -> Void)? = nil, timeout: @BrokerActor () -> Duration?
  ) async -> PromptResponse {
    let response = await response(
      to: query, from: questioner, countedFor: caller, shown: shown, timeout: timeout)
    // The caller repeats its request, or has left it to the next broker, which asks again.
    if isClosed { await Promise<Void>().value }
    return response
  }

  private func response(
    to query: Query, from questioner: String, countedFor caller: String?,
    shown: (@BrokerActor () -> Void)?, timeout: @BrokerActor () -> Duration?
  ) async -> PromptResponse {
    let (identity, caller) = (query.question.identity, caller ?? questioner)
    if let machine = query.question.pausedMachine, let refusal = refusal(of: machine) { return refusal }
    if let end = pauses[identity] {
      let pause = end - .now
      if pause > .zero { return .closedRecently(pause: pause) }
    }
    // A prompt that is being closed answers no further request.
    let current = open[identity].flatMap { $0.closing.isFulfilled ? nil : $0 }
    if let question = current {
      guard question.waiting < BrokerLimits.maximumWaitingPerPrompt else { return .tooMany }
    } else {
      guard open.count < BrokerLimits.maximumPrompts,
        counts[caller] ?? 0 < BrokerLimits.maximumPromptsPerSource
      else {
        return .tooMany
      }
    }
    let timeout = timeout()
    if current == nil {
      if let timeout, timeout <= .zero { return .late }
      begin(query, for: questioner, countedFor: caller)
    }
    guard let question = open[identity] else { return .late }
    open[identity]?.waiting += 1
    defer { leave(question, about: query.question) }
    if let shown { BrokerActor.loop.start { if await question.shown.value { shown() } } }
    let response = await response(of: question.response, within: timeout)
    // Before the request leaves the prompt, which may be closed then.
    if response == .late, let machine = question.pausedMachine {
      if Task.isCancelled { noteWithdrawal(by: machine) } else { pauseQuestions(of: machine) }
    }
    return response
  }

  /// Closes all prompts of a broker that exits, and waits for that for at most `limit`.
  ///
  /// A click would do nothing, and a notification would stay beside that of the next broker.
  func close(within limit: Duration) async {
    isClosed = true
    for question in open.values { question.closing.fulfil(()) }
    let end = ContinuousClock.now + limit
    while !open.isEmpty, ContinuousClock.now < end {
      try? await BrokerActor.loop.sleep(for: .milliseconds(5))
    }
  }

  /// Begins the time in which the user is not asked about sign-ins and registrations of a machine, and ends those that wait for their turn.
  ///
  /// A pause of the relay alone would begin too late: it has the result of a request only when the next prompt is shown already.
  func pauseQuestions(of machine: RemoteMachine) {
    refusalPause(of: machine).begin()
    endWaitingQuestions(of: machine)
  }

  /// Notes that a machine has withdrawn a sign-in or a registration while the user was asked.
  private func noteWithdrawal(by machine: RemoteMachine) {
    refusalPause(of: machine).noteWithdrawal()
    endWaitingQuestions(of: machine)
  }

  /// Ends the sign-ins and registrations of a machine that wait for their turn, if its pause has begun.
  private func endWaitingQuestions(of machine: RemoteMachine) {
    guard let response = refusal(of: machine) else { return }
    // The one that is shown has had its turn.
    for question in open.values where question.pausedMachine == machine { question.turn.fulfil(response) }
  }

  private func refusalPause(of machine: RemoteMachine) -> RefusalPause {
    if let pause = refusalPauses[machine] { return pause }
    let pause = RefusalPause()
    refusalPauses[machine] = pause
    return pause
  }

  /// Returns the response to a sign-in or a registration of a machine in its pause; `nil` if the user may be asked.
  private func refusal(of machine: RemoteMachine) -> PromptResponse? {
    refusalPauses[machine]?.obstacle(for: machine).map { PromptResponse.silent($0.message) }
  }

  /// Leaves a question, and closes its prompt if no other request waits and the answer would not be stored.
  ///
  /// A click would do nothing, and the next question of the source would wait behind the prompt.
  private func leave(_ question: OpenQuestion, about asked: UserQuestion) {
    // Another prompt about the same may be open meanwhile.
    guard open[asked.identity]?.closing === question.closing else { return }
    open[asked.identity]?.waiting -= 1
    if !asked.storesAnswer, open[asked.identity]?.waiting == 0 { question.closing.fulfil(()) }
  }

  private func response(
    of task: Task<PromptResponse, Never>, within timeout: Duration?
  ) async -> PromptResponse {
    let first = Promise<PromptResponse>()
    BrokerActor.loop.start { first.fulfil(await task.value) }
    let timer = timeout.flatMap { LoopTimer(on: BrokerActor.loop, after: $0) { first.fulfil(.late) } }
    defer { timer?.cancel() }
    // A caller that cancels its request waits no longer.
    return await withTaskCancellationHandler {
      await first.value
    } onCancel: {
      first.fulfil(.late)
    }
  }

  private func begin(_ query: Query, for questioner: String, countedFor caller: String) {
    let previous = queues[questioner]?.last
    let (turn, shown, closing) = (Promise<PromptResponse?>(), Promise<Bool>(), Promise<Void>())
    let machine = query.question.pausedMachine
    let response = BrokerActor.loop.start { () -> PromptResponse in
      let response: PromptResponse
      if let early = await turn.value {
        response = early
      } else {
        response = await self.show(query, shown, until: closing)
        // Before the next question has its turn. If all requests have left the prompt, they have noted that themselves.
        if let machine, response.isRefusal, !closing.isFulfilled { self.pauseQuestions(of: machine) }
      }
      shown.fulfil(false)
      closing.fulfil(())
      if self.open[query.question.identity]?.closing === closing { self.open[query.question.identity] = nil }
      self.counts[caller] = self.counts[caller].flatMap { $0 > 1 ? $0 - 1 : nil }
      self.end(query, from: questioner, with: response)
      return response
    }
    open[query.question.identity] = OpenQuestion(
      response: response, pausedMachine: machine, turn: turn, shown: shown, closing: closing)
    let last = BrokerActor.loop.start {
      _ = await previous?.value
      turn.fulfil(nil)
      _ = await response.value
    }
    queues[questioner, default: Queue(last: last)].last = last
    queues[questioner]?.questions += 1
    counts[caller, default: 0] += 1
  }

  private func end(_ query: Query, from questioner: String, with response: PromptResponse) {
    queues[questioner]?.questions -= 1
    if queues[questioner]?.questions == 0 { queues[questioner] = nil }
    guard let pause = query.question.pause(after: response) else { return }
    let now = ContinuousClock.now
    pauses = pauses.filter { $0.value > now }
    pauses[query.question.identity] = now + pause
  }

  /// Tries one prompt mechanism after the other until one has shown the question.
  ///
  /// - Parameters:
  ///   - shown: Fulfilled before the first attempt.
  ///   - closing: Fulfilled when the prompt is to be closed.
  private func show(_ query: Query, _ shown: Promise<Bool>, until closing: Promise<Void>) async
    -> PromptResponse
  {
    guard !closing.isFulfilled, !isClosed else { return .unanswered }
    var capabilities = await probe.capabilities(in: query.session.applied(to: query.environment))
    // The services on the bus show their prompts on their own display. Without a display of its own, the broker may have
    // been started before them.
    capabilities.isOnOtherDisplay =
      CallerSession.hasDisplay(query.environment) && query.session.hasOtherDisplay(than: query.environment)
    let question = query.question
    if question.mayBeOfSandbox { capabilities = capabilities.withoutControllableServer }
    let mechanisms =
      switch question {
      case .link(let link):
        capabilities.ways(
          hasCandidates: !query.candidates.isEmpty, needsText: link.choices.isEmpty && link.source.id == nil,
          choices: link.choices.count)
      case .permission: capabilities.waysForPermissions
      case .registration: capabilities.ways(hasCandidates: false)
      }
    if !mechanisms.isEmpty { shown.fulfil(true) }
    for mechanism in mechanisms {
      switch await ask(query, by: mechanism, capabilities, until: closing) {
      case .answered(.no, _) where question.offersApplications: return .closed
      case .answered(let answer, let token) where question.takes(answer):
        logAnswer(answer, to: question)
        await grants.keep([(answer, question)])
        return .answered(answer, token: token.flatMap(Self.usable))
      case .answered, .closed: return .closed
      case .late: return .unanswered
      case .impossible: continue
      }
    }
    return .unavailable
  }

  private func logAnswer(_ answer: Answer, to question: UserQuestion) {
    switch question {
    case .link(let question):
      log.notice(
        "the user answered \(answer.text) to \(question.asker) about a \(question.url.scheme): link",
        metadata: ["source": "\("\(question.source)".shortened())"])
    case .permission(let question):
      log.notice("the user answered \(answer.text): \("\(question)".shortened())")
    case .registration(let question):
      log.notice("the user answered \(answer.text): \("\(question)".shortened())")
    }
  }

  /// Returns an activation token if it may be an option of a request.
  private static func usable(_ token: String) -> String? {
    try? OpenOptions(["activation-token": .string(token)]).activationToken
  }

  private nonisolated func ask(
    _ query: Query, by mechanism: PromptBackend, _ capabilities: PromptCapabilities,
    until closing: Promise<Void>
  ) async -> PromptResult {
    switch mechanism {
    case .chooser(let backend):
      guard case .link(let question) = query.question, let backend = await trustedOwner(of: backend) else {
        return .impossible
      }
      return await ChooserQuestion(bus: bus, backend: backend).ask(
        question, candidates: query.candidates, timeout: BrokerLimits.prompt, until: closing)
    case .accessDialog(let backend):
      guard case .permission(let question) = query.question, let backend = await trustedOwner(of: backend)
      else { return .impossible }
      return await AccessQuestion(bus: bus, backend: backend).ask(
        question, query.text, timeout: BrokerLimits.prompt, until: closing)
    case .notification:
      guard let server = await trustedOwner(of: NotificationQuestion.name.rawValue) else {
        return .impossible
      }
      let takesMarkup = capabilities.notifications?.contains("body-markup") == true
      return await NotificationQuestion(bus: bus, server: server, takesMarkup: takesMarkup).ask(
        query, timeout: BrokerLimits.prompt, until: closing)
    case .zenity(let program):
      // A window without a token stays behind others, and the user would not see the question.
      let tokens = await query.tokens?.use()
      let result = await ZenityQuestion(program: program, launcher: launcher, loop: BrokerActor.loop).ask(
        query, activationToken: tokens?.activationToken, startupID: tokens?.startupID,
        timeout: BrokerLimits.prompt, until: closing)
      if result == .impossible, tokens?.activationToken != nil { await query.tokens?.restore() }
      return result
    }
  }

  /// Returns the connection that owns the name of a service for prompts, which is started if necessary.
  ///
  /// Returns `nil` if its process may be sandboxed: such a program could take the name and answer in place of the user.
  private nonisolated func trustedOwner(of name: String) async -> BusName? {
    guard let name = BusName(name) else { return nil }
    _ = try? await bus.call(BusDaemon.startServiceByName, at: .bus, name.rawValue, 0)
    guard let owner = try? await bus.owner(of: name) else { return nil }
    guard await identification.mayBeSandboxed(owner) else { return owner }
    log.warning("no prompt is shown through \(name), because the owner of this bus name may be in a sandbox")
    return nil
  }
}

extension UserQuestion {
  /// A Boolean value that indicates whether a program in a sandbox may have caused the question.
  fileprivate var mayBeOfSandbox: Bool {
    switch self {
    case .link(let question): question.source.mayBeSandboxed
    case .permission, .registration: true
    }
  }

  /// The machine whose further sign-ins and registrations are refused for a while if the user does not allow this one; `nil` for other
  /// questions.
  fileprivate var pausedMachine: RemoteMachine? {
    switch self {
    case .link(let question): if case .signIn = question.reason { question.source.machine } else { nil }
    case .permission: nil
    case .registration(let registration): registration.machine
    }
  }

  /// A Boolean value that indicates whether the answer also applies to later requests.
  fileprivate var storesAnswer: Bool {
    switch self {
    case .link(let question): question.scope != nil
    case .permission: true
    case .registration: false
    }
  }

  /// Returns for how long the question is not shown again after a response; `nil` if it may be shown at once.
  fileprivate func pause(after response: PromptResponse) -> Duration? {
    switch self {
    case .link, .registration: response == .closed ? BrokerLimits.promptPause : nil
    // An application can ask for a permission as often as it likes, and no link waits for the answer.
    case .permission: [.closed, .unanswered].contains(response) ? BrokerLimits.permissionPause : nil
    }
  }
}
