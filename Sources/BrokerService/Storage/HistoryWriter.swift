// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Logging
import State
import Systemd

/// A writer of the history that collects entries and writes them later, so that no request waits for it.
@BrokerActor
final class HistoryWriter {
  private let log: Logger
  private let file: HistoryFile
  /// The reason why nothing can be written, as a sentence; `nil` if writing works.
  private(set) var obstacle: String?
  private var waiting: [HistoryEntry] = []
  private var flushing: Task<Void, Never>?

  /// Creates a writer of the file in the state directory.
  ///
  /// - Parameter open: Opens the store; `nil` for the default.
  init(in directories: BaseDirectories, log: Logger, open: HistoryFile.Opening? = nil) {
    self.log = log
    file = HistoryFile(
      at: "\(directories.stateHome)/usher/state.sqlite",
      existing: directories.homeRequired(by: directories.stateHome), log: log, open: open)
  }

  /// Adds an entry, which is written about a second later.
  func add(_ entry: HistoryEntry) {
    waiting.append(entry)
    // A disk that hangs must not fill the memory. The file would retain only the last `capacity` entries anyway.
    if waiting.count > HistoryStore.capacity { waiting = waiting.newest(HistoryStore.capacity / 2) }
    guard flushing == nil else { return }
    flushing = BrokerActor.loop.start {
      repeat {
        try? await BrokerActor.loop.sleep(for: BrokerLimits.historyDelay)
        await self.flush()
      } while !self.waiting.isEmpty && self.obstacle == nil
      self.flushing = nil
    }
  }

  /// Writes the waiting entries, and returns when these and all earlier ones are written.
  func flush() async {
    let entries = waiting
    waiting = []
    do throws(StateError) {
      try await file.add(entries)
      if !entries.isEmpty { obstacle = nil }
    } catch {
      note(error)
      waiting = (entries + waiting).newest(BrokerLimits.maximumUnwrittenHistory)
    }
  }

  /// Writes the waiting entries of a broker that ends, which must not wait longer than `limit` for a disk that does not respond.
  func flush(within limit: Duration) async {
    let isWritten = await BrokerActor.result(within: limit, otherwise: false) {
      await self.flush()
      return true
    }
    guard !isWritten else { return }
    log.error("the last rows of the history cannot be written: the file system does not respond")
  }

  /// Returns the last entries that arrived in a period, the newest first: at most `limit`, and as many as one message may have.
  ///
  /// - Parameter end: The `next` of the previous page; `nil` for the first one.
  func page(
    limit: Int, in period: Range<Int64>, before end: Int64?
  ) async throws(StateError) -> HistoryPage {
    await flush()
    do throws(StateError) {
      return try await file.page(limit: limit, in: period, before: end)
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
