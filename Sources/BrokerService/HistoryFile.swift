import Logging
import State
import Systemd

/// The history's file, on a thread of its own: a thousand entries, or a disk that takes its time, hold up no request.
actor HistoryFile {
  /// One thread for all such files of a process.
  private static let disk = EventLoop()
  nonisolated var unownedExecutor: UnownedSerialExecutor { Self.disk.asUnownedSerialExecutor() }

  private var store: LazyStore<HistoryStore>

  /// The file at `path`, which is opened when it is needed, and not where the directory `existing` is missing.
  init(at path: String, existing: String?, log: Logger) {
    store = LazyStore { () throws(StateError) in
      try HistoryStore.open(at: path, existing: existing)
    } report: { aside in
      log.warning("the history was damaged; it is set aside as \(aside)")
    }
  }

  /// Writes entries, all or none, after those that came before.
  func add(_ entries: [HistoryEntry]) throws(StateError) {
    guard !entries.isEmpty else { return }
    try store.use { store throws(StateError) in try store.add(entries) }
  }

  /// The last `limit` entries, the newest first.
  func entries(limit: Int) throws(StateError) -> [HistoryEntry] {
    try store.use { store throws(StateError) in try store.entries(limit: limit) }
  }
}
