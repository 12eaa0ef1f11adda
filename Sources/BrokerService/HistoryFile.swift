import Logging
import State
import Systemd

/// The history's file, on a thread of its own: a thousand entries, or a disk that takes its time, hold up no request.
actor HistoryFile {
  /// One thread for all such files of a process.
  private static let disk = EventLoop()
  nonisolated var unownedExecutor: UnownedSerialExecutor { Self.disk.asUnownedSerialExecutor() }

  private let path: String
  private let log: Logger
  private var store: HistoryStore?

  /// The file at `path`, which is opened when it is needed.
  init(at path: String, log: Logger) {
    self.path = path
    self.log = log
  }

  /// Writes entries, all or none, after those that came before.
  func add(_ entries: [HistoryEntry]) throws(StateError) {
    guard !entries.isEmpty else { return }
    try withStore { store throws(StateError) in try store.add(entries) }
  }

  /// The last `limit` entries, the newest first.
  func entries(limit: Int) throws(StateError) -> [HistoryEntry] {
    try withStore { store throws(StateError) in try store.entries(limit: limit) }
  }

  private func withStore<Value>(
    _ body: (HistoryStore) throws(StateError) -> Value
  ) throws(StateError) -> Value {
    do throws(StateError) {
      return try body(opened())
    } catch {
      // A damaged file is set aside when it is opened the next time.
      if case .corrupt = error.reason { store = nil }
      throw error
    }
  }

  private func opened() throws(StateError) -> HistoryStore {
    if let store { return store }
    let (store, aside) = try HistoryStore.open(at: path)
    if let aside { log.warning("the history was damaged; it is set aside as \(aside)") }
    self.store = store
    return store
  }
}
