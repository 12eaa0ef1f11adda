// SPDX-License-Identifier: Apache-2.0
import Logging
import State
import Systemd

/// The file of the history, used on a thread of its own.
///
/// A thousand entries or a slow disk delay no request.
actor HistoryFile {
  /// Opens the store.
  ///
  /// Returns the path to which a damaged file was moved, if there was one.
  typealias Opening = @Sendable () throws(StateError) -> (store: HistoryStore, setAside: String?)

  /// The thread for all such files of a process.
  private static let disk = EventLoop()
  nonisolated var unownedExecutor: UnownedSerialExecutor { Self.disk.asUnownedSerialExecutor() }

  private var store: LazyStore<HistoryStore>

  /// Creates access to the file at `path`, which is opened on first use, unless the directory `existing` is missing.
  ///
  /// - Parameter open: Opens the store; `nil` for the default.
  init(at path: String, existing: String?, log: Logger, open: Opening?) {
    store = LazyStore { () throws(StateError) in
      if let open { return try open() }
      return try HistoryStore.open(at: path, existing: existing)
    } report: { aside in
      log.warning("the database of the history was corrupt; it was moved to \(aside) and recreated")
    }
  }

  /// Appends entries, either all or none.
  func add(_ entries: [HistoryEntry]) throws(StateError) {
    guard !entries.isEmpty else { return }
    try store.use { store throws(StateError) in try store.add(entries) }
  }

  /// Returns the last entries that arrived in a period, the newest first: at most `limit`, and as many as one message may have.
  func page(limit: Int, in period: Range<Int64>, before end: Int64?) throws(StateError) -> HistoryPage {
    try store.use { store throws(StateError) in
      try store.page(limit: limit, bytes: BrokerLimits.historyReply, in: period, before: end)
    }
  }
}
