import BrokerCore
import Freedesktop
import Logging
import State
import Systemd

/// Keeps what people have said, and knows it again; without a file that can be written it knows nothing.
actor GrantKeeper {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private nonisolated let log: Logger
  private var store: StoreOnDemand<GrantStore>
  private var isComplaining = false

  init(on loop: EventLoop, in stateHome: String, log: Logger) {
    self.loop = loop
    self.log = log
    let path = "\(stateHome)/usher/state.sqlite"
    store = StoreOnDemand { () throws(StateError) in
      try GrantStore.open(at: path)
    } report: { aside in
      log.warning("history and grants were damaged; they are set aside as \(aside)")
    }
  }

  /// The answers that hold for just this scope.
  func grants(of scope: AnswerScope) -> [Grant] {
    let entries = try? using { store throws(StateError) in
      try store.grants(of: GrantEntry.Scope(scope), now: SessionClock.microsecondsSince1970)
    }
    return (entries ?? []).compactMap(Grant.init)
  }

  /// Keeps an answer for as long as answers are kept.
  func keep(_ answer: Answer, to question: Question) {
    guard let scope = question.scope else { return }
    let assurance = scope.source == nil ? Assurance.unknown : question.source.assurance
    let now = SessionClock.microsecondsSince1970
    let entry = GrantEntry(
      scope: .init(scope), assurance: assurance.rawValue, answer: answer.text, time: now,
      expires: now + Self.lifetime)
    // An answer that cannot be kept counts this once.
    try? keep(entry)
  }

  /// Keeps a grant.
  func keep(_ entry: GrantEntry) throws(StateError) {
    try using { store throws(StateError) in try store.add(entry, now: SessionClock.microsecondsSince1970) }
  }

  /// All that holds, the last one first.
  func all() throws(StateError) -> [GrantEntry] {
    try using { store throws(StateError) in try store.grants(now: SessionClock.microsecondsSince1970) }
  }

  /// Takes back what has these parts.
  func revoke(_ scope: GrantEntry.Scope) throws(StateError) -> Int {
    try using { store throws(StateError) in try store.revoke(scope, now: SessionClock.microsecondsSince1970) }
  }

  /// How long answers are kept where nothing else is said, in microseconds.
  static let lifetime = Int64(Grant.days) * 86_400_000_000

  private func using<Value>(
    _ body: (GrantStore) throws(StateError) -> Value
  ) throws(StateError) -> Value {
    do throws(StateError) {
      let value = try store.use(body)
      isComplaining = false
      return value
    } catch {
      if !isComplaining { log.error("the grants cannot be read or written: \(error)") }
      isComplaining = true
      throw error
    }
  }
}

extension GrantEntry.Scope {
  /// The scope as it is written down.
  init(_ scope: AnswerScope) {
    self.init(
      source: scope.source?.rawValue, origin: scope.origin?.text, scheme: scope.scheme, host: scope.host,
      route: scope.route)
  }
}

extension Grant {
  /// The grant that an entry tells of; `nil` for one that makes no sense, which then counts for nothing.
  init?(_ entry: GrantEntry) {
    let scope = AnswerScope(
      source: entry.scope.source.flatMap { ApplicationID($0) },
      origin: entry.scope.origin.flatMap { WebOrigin($0) },
      scheme: entry.scope.scheme, host: entry.scope.host, route: entry.scope.route)
    guard GrantEntry.Scope(scope) == entry.scope, let answer = Answer(entry.answer),
      let assurance = Assurance(rawValue: entry.assurance)
    else { return nil }
    self.init(scope, answer, assurance: assurance)
  }
}
