import Glibc
import Logging
import State
import Systemd

/// Writes the history, a little later and together, so that no request waits for it.
actor HistoryKeeper {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private nonisolated let log: Logger
  private nonisolated let path: String
  private var store: HistoryStore?
  /// Why nothing can be written, in a sentence; `nil` when it can.
  private(set) var obstacle: String?
  private var waiting: [HistoryEntry] = []
  private var flushing: Task<Void, Never>?

  /// How long entries wait for others.
  private static let patience = Duration.seconds(1)
  /// The most that wait where nothing can be written.
  private static let mostWaiting = 1_000

  init(on loop: EventLoop, in stateHome: String, log: Logger) {
    self.loop = loop
    self.log = log
    path = "\(stateHome)/usher/state.sqlite"
  }

  /// Takes an entry; it is written within a second.
  func add(_ entry: HistoryEntry) {
    waiting.append(entry)
    guard flushing == nil else { return }
    flushing = Task {
      try? await loop.sleep(for: Self.patience)
      self.flush()
    }
  }

  /// Writes what waits.
  func flush() {
    flushing?.cancel()
    flushing = nil
    guard !waiting.isEmpty else { return }
    do throws(StateError) {
      try opened().add(waiting)
      waiting = []
      obstacle = nil
    } catch {
      note(error)
      waiting = waiting.suffix(Self.mostWaiting)
    }
  }

  /// The last `limit` entries, the newest first.
  func entries(limit: Int) throws(StateError) -> [HistoryEntry] {
    flush()
    do throws(StateError) {
      return try opened().entries(limit: limit)
    } catch {
      note(error)
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

  private func note(_ error: StateError) {
    if obstacle == nil { log.error("the history cannot be written: \(error)") }
    obstacle = error.description
    // A damaged file is set aside when it is opened the next time.
    if case .corrupt = error.reason { store = nil }
  }
}
