import BrokerCore
import Freedesktop
import Logging
import RouteTables
import State
import Systemd

/// Keeps what people have said, and knows it again; without a file that can be read and written it knows nothing.
actor GrantRepository {
  /// How many may wait for a disk that does not answer.
  private static let mostWaiting = 64

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private nonisolated let log: Logger
  private nonisolated let timeout: Duration
  private nonisolated let file: GrantFile
  private var waiting = 0
  private var isComplaining = false

  /// Grants in the user's state directory, each of which is waited for as long as `timeout`.
  init(
    on loop: EventLoop, in directories: BaseDirectories, log: Logger, timeout: Duration,
    open: GrantFile.Opening? = nil
  ) {
    self.loop = loop
    self.log = log
    self.timeout = timeout
    file = GrantFile(
      at: "\(directories.stateHome)/usher/state.sqlite",
      existing: directories.homeRequired(by: directories.stateHome), log: log, open: open)
  }

  /// The answers that hold for just one of these scopes; none where the disk does not answer in time, so that the question is
  /// asked.
  func grants(of scopes: Set<GrantScope>) async -> [Grant] {
    let entries = try? await using { store throws(StateError) in
      var entries: [GrantEntry] = []
      for scope in scopes {
        entries += try store.grants(of: GrantEntry.Scope(scope), now: BootClock.microsecondsSince1970)
      }
      return entries
    }
    return (entries ?? []).compactMap(Grant.init)
  }

  /// Keeps answers for as long as answers are kept.
  func keep(_ answers: [(answer: Answer, question: Question)]) async {
    let now = BootClock.microsecondsSince1970
    let entries = answers.compactMap { answer, question -> GrantEntry? in
      guard let scope = question.scope else { return nil }
      let assurance = scope.source == nil ? Assurance.unknown : question.source.assurance
      return GrantEntry(
        scope: .init(scope), assurance: assurance.rawValue, answer: answer.text, time: now,
        expires: now + Self.lifetime)
    }
    // An answer that cannot be kept counts this once.
    if !entries.isEmpty { try? await keep(entries) }
  }

  /// Keeps grants.
  func keep(_ entries: [GrantEntry]) async throws(StateError) {
    try await using { store throws(StateError) in
      for entry in entries { try store.add(entry, now: BootClock.microsecondsSince1970) }
    }
  }

  /// All that holds, the last one first.
  func all() async throws(StateError) -> [GrantEntry] {
    try await using { store throws(StateError) in try store.grants(now: BootClock.microsecondsSince1970) }
  }

  /// Takes back what has these parts.
  func revoke(_ scope: GrantEntry.Scope) async throws(StateError) -> Int {
    try await using { store throws(StateError) in
      try store.revoke(scope, now: BootClock.microsecondsSince1970)
    }
  }

  /// How long answers are kept where nothing else is said, in microseconds.
  static let lifetime = Int64(Grant.days) * 86_400_000_000

  private func using<Value: Sendable>(
    _ body: @escaping @Sendable (GrantStore) throws(StateError) -> Value
  ) async throws(StateError) -> Value {
    do throws(StateError) {
      let value = try await result(of: body).get()
      isComplaining = false
      return value
    } catch {
      if !isComplaining { log.error("the grants cannot be read or written: \(error)") }
      isComplaining = true
      throw error
    }
  }

  /// What comes of `body`, as far as the disk answers in time.
  private func result<Value: Sendable>(
    of body: @escaping @Sendable (GrantStore) throws(StateError) -> Value
  ) async -> Result<Value, StateError> {
    let silence = Result<Value, StateError>.failure(StateError(.silent, at: file.path))
    guard waiting < Self.mostWaiting else { return silence }
    waiting += 1
    let (results, end) = AsyncStream<Result<Value, StateError>>.makeStream()
    loop.start { [file] in
      end.yield(await file.use(body))
      end.finish()
      self.hasAnswered()
    }
    let timer = LoopTimer(on: loop, after: timeout) { end.finish() }
    defer { timer?.cancel() }
    return await results.first { _ in true } ?? silence
  }

  private func hasAnswered() { waiting -= 1 }
}

extension GrantEntry.Scope {
  /// The scope as it is written down.
  init(_ scope: GrantScope) {
    self.init(
      source: scope.source?.rawValue, origin: scope.origin?.text, scheme: scope.scheme, host: scope.host,
      isSandboxed: scope.isSandboxed)
    guard case .route(let route) = scope.asker else { return }
    self.route = route.name
    layer = route.rank.layer
  }
}

extension Grant {
  /// The grant that an entry tells of; `nil` for one that makes no sense, which then counts for nothing.
  init?(_ entry: GrantEntry) {
    var asker = GrantScope.Asker.policy
    if let name = entry.scope.route, let rank = entry.scope.layer.flatMap(PolicyLayer.init(layer:)) {
      asker = .route(PromptingRoute(rank: rank, name: name))
    }
    let scope = GrantScope(
      source: entry.scope.source.flatMap { ApplicationID(rawValue: $0) },
      origin: entry.scope.origin.flatMap { WebOrigin($0) },
      scheme: entry.scope.scheme, host: entry.scope.host, askedBy: asker,
      isSandboxed: entry.scope.isSandboxed)
    guard GrantEntry.Scope(scope) == entry.scope, let answer = Answer(entry.answer),
      let assurance = Assurance(rawValue: entry.assurance)
    else { return nil }
    self.init(scope, answer, assurance: assurance)
  }
}
