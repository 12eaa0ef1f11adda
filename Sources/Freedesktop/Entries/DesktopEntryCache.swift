// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A cache of parsed entries, each valid while the status of its file is unchanged.
///
/// It holds only the entries of recent lookups, because few of the installed applications open nearly all links.
final class DesktopEntryCache: Sendable {
  /// An entry and its launch requirements.
  typealias Entry = (entry: DesktopEntry, needs: LaunchRequirements)

  private struct Kept {
    let status: FileStatus
    let entry: Entry
  }

  private static let most = 64
  private let entries = Mutex<[String: Kept]>([:])

  /// Returns the cached entry for `path`; `nil` if there is none or if the status of its file has changed.
  func entry(at path: String, now status: () -> FileStatus?) -> Entry? {
    guard let kept = entries.withLock({ $0[path] }), kept.status == status() else { return nil }
    return kept.entry
  }

  /// Caches the entry that was read from `path`, unless the file was modified too recently for `status` to prove later changes.
  func keep(_ entry: Entry, at path: String, _ status: FileStatus?) {
    guard let status, status.isSettled else { return }
    entries.withLock { entries in
      if entries.count >= Self.most { entries = [:] }
      entries[path] = Kept(status: status, entry: entry)
    }
  }
}
