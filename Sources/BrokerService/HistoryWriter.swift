import Freedesktop
import Logging
import State
import Systemd

/// Keeps the history, a little later and together, so that no request waits for it.
actor HistoryWriter {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private nonisolated let log: Logger
  private nonisolated let file: HistoryFile
  /// Why nothing can be written, in a sentence; `nil` when it can.
  private(set) var obstacle: String?
  private var waiting: [HistoryEntry] = []
  private var flushing: Task<Void, Never>?

  /// How long entries wait for others.
  private static let timeout = Duration.seconds(1)
  /// The most that wait where nothing can be written.
  private static let mostUnwritten = 1_000

  init(on loop: EventLoop, in directories: BaseDirectories, log: Logger) {
    self.loop = loop
    self.log = log
    file = HistoryFile(
      at: "\(directories.stateHome)/usher/state.sqlite",
      existing: directories.homeRequired(by: directories.stateHome), log: log)
  }

  /// Takes an entry; it is written about a second later.
  func add(_ entry: HistoryEntry) {
    waiting.append(entry)
    // A disk that hangs must not fill the memory; of more than that the file would keep the last alone.
    if waiting.count > HistoryStore.capacity { waiting = waiting.newest(HistoryStore.capacity / 2) }
    guard flushing == nil else { return }
    flushing = loop.start {
      repeat {
        try? await self.loop.sleep(for: Self.timeout)
        await self.flush()
      } while !self.waiting.isEmpty && self.obstacle == nil
      self.flushing = nil
    }
  }

  /// Writes what waits; returns when it, and all that was on its way before, is written.
  func flush() async {
    let entries = waiting
    waiting = []
    do throws(StateError) {
      try await file.add(entries)
      if !entries.isEmpty { obstacle = nil }
    } catch {
      note(error)
      waiting = (entries + waiting).newest(Self.mostUnwritten)
    }
  }

  /// The last `limit` entries, the newest first.
  func entries(limit: Int) async throws(StateError) -> [HistoryEntry] {
    await flush()
    do throws(StateError) {
      return try await file.entries(limit: limit)
    } catch {
      note(error)
      throw error
    }
  }

  private func note(_ error: StateError) {
    if obstacle == nil { log.error("the history cannot be written: \(error)") }
    obstacle = error.description
  }
}
