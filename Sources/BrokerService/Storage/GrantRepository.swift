// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import Logging
import RouteTables
import State
import Systemd

/// A repository of grants in the user's state directory.
///
/// It is empty if the file cannot be read or written.
@BrokerActor
final class GrantRepository {
  /// The purpose of an operation on the file.
  ///
  /// Each has a limit of its own, so that calls displace neither what decisions read nor answers that are stored.
  private enum Purpose {
    /// A read for a decision.
    case decision
    /// An answer that is stored.
    case answer
    /// A call of `Grants`, `Allow` or `Revoke`.
    case call
  }

  private let log: Logger
  private let timeout: Duration
  private let file: GrantFile
  /// The operations that wait for the file, by purpose and caller.
  private var waiting: [Purpose: SharedQuota] = [:]
  /// The last call; calls use the file one after the other, so that a decision waits for at most one of them.
  private var lastCall: Task<Void, Never>?
  private var hasLoggedError = false
  /// Called after an answer about a permission was stored, and after grants were removed.
  var permissionsChanged: () -> Void = {}

  /// Creates a repository in the user's state directory.
  ///
  /// - Parameter timeout: The timeout of each operation.
  init(
    in directories: BaseDirectories, log: Logger, timeout: Duration,
    open: GrantFile.Opening? = nil
  ) {
    self.log = log
    self.timeout = timeout
    file = GrantFile(
      at: "\(directories.stateHome)/usher/state.sqlite",
      existing: directories.homeRequired(by: directories.stateHome), log: log, open: open)
  }

  /// Returns the valid grants for exactly these scopes; none if the disk does not respond in time, so that the user is prompted.
  ///
  /// - Parameter caller: The caller whose request is decided.
  func grants(of scopes: Set<GrantScope>, for caller: ChargedCaller) async -> [Grant] {
    let entries = try? await using(for: .decision, by: caller.text) { store throws(StateError) in
      var entries: [GrantEntry] = []
      for scope in scopes {
        entries += try store.grants(of: GrantEntry.Scope(scope), now: BootClock.microsecondsSince1970)
      }
      return entries
    }
    return (entries ?? []).compactMap(Grant.init)
  }

  /// Returns the stored answer to a question about a permission; `nil` if there is none.
  func answer(
    to question: PermissionQuestion, for caller: ChargedCaller
  ) async throws(StateError) -> Answer? {
    let entries = try await using(for: .decision, by: caller.text) { store throws(StateError) in
      try store.grants(of: GrantEntry.Scope(question.scope), now: BootClock.microsecondsSince1970)
    }
    return entries.compactMap(Grant.init).first?.answer
  }

  /// Stores answers: those about links with the default lifetime, those about permissions without expiry.
  ///
  /// - Parameter caller: The caller that states the answers; `nil` if the user gave them to a prompt.
  func keep(
    _ answers: [(answer: Answer, question: UserQuestion)], statedBy caller: ChargedCaller? = nil
  ) async {
    let now = BootClock.microsecondsSince1970
    let entries = answers.compactMap { GrantEntry($0.answer, to: $0.question, at: now) }
    // An answer that cannot be stored applies to this request only.
    if !entries.isEmpty { try? await keep(entries, statedBy: caller) }
  }

  /// Stores a grant that the user gives in advance, in place of all answers for its scope that are about some of its callers.
  ///
  /// Of several answers for a scope the one with the highest assurance decides, so that an answer about a program that only claims a
  /// name has no effect on the application itself. An earlier answer with a higher assurance would still decide. A refusal also ends
  /// consent with a lower assurance: what the application may not do, a program that only claims its name may not do either.
  func allow(_ entry: GrantEntry, for caller: ChargedCaller) async throws(StateError) {
    let least = Assurance(rawValue: entry.assurance) ?? .unknown
    let assurances = Assurance.allCases.filter { $0 >= least }.map(\.rawValue)
    let isRefusal = entry.answer == Answer.no.text
    try await using(
      for: .call, by: caller.text, changesPermissions: entry.scope.permission != nil
    ) { store throws(StateError) in
      try store.add(
        entry, replacing: assurances, revokesConsent: isRefusal, now: BootClock.microsecondsSince1970)
    }
  }

  /// Stores grants.
  func keep(_ entries: [GrantEntry], statedBy caller: ChargedCaller? = nil) async throws(StateError) {
    let isAboutPermissions = entries.contains { $0.scope.permission != nil }
    try await using(
      for: .answer, by: caller?.text ?? Self.prompts, changesPermissions: isAboutPermissions
    ) { store throws(StateError) in
      for entry in entries { try store.add(entry, now: BootClock.microsecondsSince1970) }
    }
  }

  /// Returns all valid grants, the newest first.
  func all(for caller: ChargedCaller) async throws(StateError) -> [GrantEntry] {
    try await using(for: .call, by: caller.text) { store throws(StateError) in
      try store.grants(now: BootClock.microsecondsSince1970)
    }
  }

  /// Removes the grants that match all set parts of `scope`, and returns their number.
  func revoke(_ scope: GrantEntry.Scope, for caller: ChargedCaller) async throws(StateError) -> Int {
    try await using(for: .call, by: caller.text, changesPermissions: true) { store throws(StateError) in
      try store.revoke(scope, now: BootClock.microsecondsSince1970)
    }
  }

  /// The default lifetime of answers in microseconds.
  nonisolated static let lifetime = Int64(Grant.days) * 86_400_000_000

  /// The user's answers to prompts, in place of a caller.
  private static let prompts = "prompts"

  /// Returns the reason why a caller's call of `allow`, `all` or `revoke` must wait; `nil` if it need not.
  func shortage(for caller: ChargedCaller) -> SharedQuota.Shortage? {
    quota(of: .call).shortage(of: 1, for: caller.text)
  }

  private func quota(of purpose: Purpose) -> SharedQuota {
    let capacity = purpose == .decision ? BrokerLimits.maximumGrantReads : BrokerLimits.maximumGrantOperations
    return waiting[purpose] ?? SharedQuota(capacity: capacity)
  }

  private func using<Value: Sendable>(
    for purpose: Purpose, by caller: String, changesPermissions: Bool = false,
    _ body: @escaping @Sendable (GrantStore) throws(StateError) -> Value
  ) async throws(StateError) -> Value {
    do throws(StateError) {
      let value = try await result(
        for: purpose, by: caller, changesPermissions: changesPermissions, of: body
      ).get()
      hasLoggedError = false
      return value
    } catch {
      if !hasLoggedError { log.error("the grants cannot be read or written: \(error)") }
      hasLoggedError = true
      throw error
    }
  }

  /// Returns the result of `body`, or an error if the disk does not respond in time.
  private func result<Value: Sendable>(
    for purpose: Purpose, by caller: String, changesPermissions: Bool,
    of body: @escaping @Sendable (GrantStore) throws(StateError) -> Value
  ) async -> Result<Value, StateError> {
    let silence = Result<Value, StateError>.failure(StateError(.notResponding, at: file.path))
    var quota = quota(of: purpose)
    guard quota.take(1, for: caller) else { return silence }
    waiting[purpose] = quota
    let earlier = purpose == .call ? lastCall : nil
    let result = Promise<Result<Value, StateError>>()
    let operation = BrokerActor.loop.start { [self] in
      await earlier?.value
      let value = await file.use(body)
      // A change that is stored after the timeout counts, too.
      if changesPermissions, case .success = value { permissionsChanged() }
      result.fulfil(value)
      waiting[purpose]?.release(1, for: caller)
    }
    if purpose == .call { lastCall = operation }
    return await result.value(within: timeout, otherwise: silence)
  }
}

extension GrantEntry {
  /// Creates the grant of the user's answer at a time, in microseconds since 1970; `nil` if the answer is not stored.
  fileprivate init?(_ answer: Answer, to question: UserQuestion, at time: Int64) {
    guard let scope = question.scope, question.stores(answer) else { return nil }
    var (assurance, expires): (Assurance, Int64?) = (.unknown, nil)
    // An answer about a permission is about the application itself, however a caller is identified as it.
    if case .link(let question) = question {
      assurance = scope.source == nil ? .unknown : question.source.assurance
      expires = time + GrantRepository.lifetime
    }
    self.init(
      scope: GrantEntry.Scope(scope), assurance: assurance.rawValue, answer: answer.text, time: time,
      expires: expires)
  }
}

extension GrantEntry.Scope {
  /// Creates the stored form of a scope.
  init(_ scope: GrantScope) {
    self.init(
      source: scope.source?.rawValue, container: scope.container?.unit, origin: scope.origin?.text,
      scheme: scope.scheme, host: scope.host, remote: scope.machine?.name, isSandboxed: scope.isSandboxed)
    switch scope.asker {
    case .policy: break
    case .route(let route):
      self.route = route.name
      layer = route.rank.layer
    case .permission(let permission): self.permission = permission.rawValue
    }
  }
}

extension Grant {
  /// Creates the grant of a stored entry; `nil` if the entry is invalid, which is then ignored.
  init?(_ entry: GrantEntry) {
    var asker = GrantScope.Asker.policy
    if let name = entry.scope.route, let rank = entry.scope.layer.flatMap(PolicyLayer.init(layer:)) {
      asker = .route(PromptingRoute(rank: rank, name: name))
    } else if let permission = entry.scope.permission.flatMap(Permission.init(rawValue:)) {
      asker = .permission(permission)
    }
    let scope = GrantScope(
      source: entry.scope.source.flatMap { ApplicationID(rawValue: $0) },
      container: entry.scope.container.flatMap { ContainerScope(unit: $0) },
      machine: entry.scope.remote.flatMap { RemoteMachine($0) },
      origin: entry.scope.origin.flatMap { WebOrigin($0) },
      scheme: entry.scope.scheme, host: entry.scope.host, askedBy: asker,
      isSandboxed: entry.scope.isSandboxed)
    guard GrantEntry.Scope(scope) == entry.scope, let answer = Answer(entry.answer),
      let assurance = Assurance(rawValue: entry.assurance)
    else { return nil }
    self.init(scope, answer, assurance: assurance, expires: entry.expires)
  }
}
