// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import Logging
import State

/// The permissions of applications: the user's stored answers, and questions if there are none.
@BrokerActor
final class PermissionService {
  private let policy: PolicyService
  private let environment: SessionEnvironment
  private let files: FileThread
  private let grants: GrantRepository
  private let prompts: PromptService
  private let log: Logger
  /// The program that may ask, because it has identified the application.
  private let triggers = UsherProgram(at: "usher-triggers")

  init(
    policy: PolicyService, environment: SessionEnvironment, files: FileThread, grants: GrantRepository,
    prompts: PromptService,
    log: Logger
  ) {
    self.policy = policy
    self.environment = environment
    self.files = files
    self.grants = grants
    self.prompts = prompts
    self.log = log
  }

  /// Returns the user's answer to the question whether an application has a permission.
  ///
  /// - Parameters:
  ///   - name: The permission.
  ///   - text: The application, by desktop-file ID.
  ///   - options: `ask`: whether the user is asked if there is no answer.
  ///   - caller: The credentials of the caller; `nil` if they cannot be read safely.
  func status(
    of name: String, for text: String, _ options: [String: Variant], calledBy caller: CallerCredentials?
  ) async throws(BusError) -> PermissionStatus {
    // A caller that is certainly another program waits for no file.
    guard let caller, !caller.mayBeSandboxed, triggers.mayBeRun(as: caller.program) else {
      throw Self.onlyTriggers
    }
    // The program may be installed in the home directory.
    let refusal = await files.run { [triggers] in Self.refusal(of: caller, unlessRunning: triggers) }
    if let refusal { throw refusal }
    let rules = await policy.current()
    guard let application = await policy.id(spelled: text, in: rules) else {
      throw BusError(
        .invalidRequest, "application: “\(text)” is not a desktop-file ID such as org.example.Notes")
    }
    guard let permission = Permission(rawValue: name) else { throw Permission.unknown }
    guard let asks = options["ask", default: .boolean(false)].boolean else {
      throw BusError(.invalidRequest, "ask must be true or false")
    }
    let question = PermissionQuestion(permission, of: application)
    if let file = rules.broker.grantsLockedBy {
      throw BusError(
        .denied, "\(application) may not \(permission.activity), because grants are disabled by \(file)")
    }
    // Nothing is awaited between reading the answer and asking, so that an answer that is given meanwhile is not missed.
    let query = asks ? await query(question, by: rules) : nil
    if let answer = try await answer(to: question, for: ChargedCaller(caller)) {
      return PermissionStatus(answer)
    }
    guard let query else { return .notDetermined }
    switch await prompts.ask(query, for: application.rawValue, timeout: { BrokerLimits.permission }) {
    case .answered(let answer, _): return PermissionStatus(answer)
    case .silent: return .notDetermined
    case .unavailable:
      log.notice("\(question), but no prompt can be shown here; to allow it, run: \(question.remedy)")
      return .notDetermined
    }
  }

  /// Returns the error for a caller that may not ask for permissions; `nil` if it runs `triggers` outside a sandbox.
  nonisolated static func refusal(
    of caller: CallerCredentials?, unlessRunning triggers: UsherProgram
  ) -> BusError? {
    guard let caller, !caller.mayBeSandboxed else { return onlyTriggers }
    guard !triggers.isRun(as: caller.program) else { return nil }
    guard triggers.wasReplaced(in: caller.program) else { return onlyTriggers }
    return BusError(
      .accessDenied,
      "usher-triggers was replaced while it ran, as by an upgrade; run: pkill -x usher-triggers; the next call starts the new one"
    )
  }

  nonisolated private static let onlyTriggers = BusError(
    .accessDenied,
    "only usher-triggers may ask for permissions; call RequestAuthorization of org.usher.Triggers1")

  private func answer(
    to question: PermissionQuestion, for caller: ChargedCaller
  ) async throws(BusError) -> Answer? {
    do throws(StateError) {
      return try await grants.answer(to: question, for: caller)
    } catch {
      throw BusError(.failed, error.description)
    }
  }

  private func query(_ question: PermissionQuestion, by rules: PolicySnapshot) async -> PromptService.Query {
    let text = await files.run {
      QuestionText(
        question, title: rules.catalog.load(question.application, programs: rules.programs).entry?.name())
    }
    return PromptService.Query(
      question: .permission(question), text: text, candidates: [], environment: await environment.current(),
      session: .unknown, tokens: nil)
  }
}

extension PermissionStatus {
  fileprivate init(_ answer: Answer) { self = answer == .yes ? .allowed : .denied }
}

extension Permission {
  /// The error for a name that is not a permission.
  static var unknown: BusError {
    BusError(
      .invalidRequest, "permission must be one of: \(allCases.map(\.rawValue).joined(separator: ", "))")
  }
}
