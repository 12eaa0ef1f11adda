import Synchronization

/// Entries as they were read, for as long as their files are as they were.
///
/// Of the many that are installed a few open nearly all links; only those that were asked for last are kept.
final class DesktopEntryCache: Sendable {
  /// An entry and what it needs.
  typealias Entry = (entry: DesktopEntry, needs: LaunchRequirements)

  private struct Kept {
    let status: FileStatus
    let entry: Entry
  }

  private static let most = 64
  private let entries = Mutex<[String: Kept]>([:])

  /// The entry that was read at `path` when its file had the status that it has now.
  func entry(at path: String, now status: () -> FileStatus?) -> Entry? {
    guard let kept = entries.withLock({ $0[path] }), kept.status == status() else { return nil }
    return kept.entry
  }

  /// Keeps what was read at `path` after its file had this status, which it may have had for too short a while to prove it.
  func keep(_ entry: Entry, at path: String, _ status: FileStatus?) {
    guard let status, status.isSettled else { return }
    entries.withLock { entries in
      if entries.count >= Self.most { entries = [:] }
      entries[path] = Kept(status: status, entry: entry)
    }
  }
}
