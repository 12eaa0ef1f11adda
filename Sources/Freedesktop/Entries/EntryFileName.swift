// SPDX-License-Identifier: Apache-2.0
/// The file name of an ID, such as `org.example.Notes.desktop`, compared by its bytes.
struct EntryFileName: Hashable {
  let text: String

  /// Returns whether the name ends in `.desktop`.
  static func isOne(_ name: String) -> Bool {
    name.utf8.span.extracting(last: suffix.utf8.count).isSpelt(like: suffix.utf8.span)
  }

  static let suffix = ".desktop"

  static func == (one: Self, other: Self) -> Bool { one.text.isSpelt(like: other.text) }

  /// Hashes all bytes at once, because there are thousands of names.
  func hash(into hasher: inout Hasher) {
    text.utf8.span.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
