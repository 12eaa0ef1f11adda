// SPDX-License-Identifier: Apache-2.0
/// A part of the history that is small enough for one message.
public struct HistoryPage: Hashable, Sendable {
  /// The entries, the newest first.
  public let entries: [HistoryEntry]
  /// The end of the next page, whose entries are older; `nil` if the page was not cut.
  public let next: Int64?
}

extension HistoryEntry {
  /// The approximate size in bytes of the entry in a message.
  var size: Int {
    [urls, source, via, remote, application, reason, states].reduce(512) { $0 + ($1?.utf8.count ?? 0) }
  }
}
