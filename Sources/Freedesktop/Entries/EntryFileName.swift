/// The file name that an ID stands for, as `org.example.Notes.desktop`: two are the same where their bytes are.
struct EntryFileName: Hashable {
  let text: String

  /// Whether an entry's file may have this name, by its end.
  static func isOne(_ name: String) -> Bool {
    name.utf8.span.extracting(last: suffix.utf8.count).isSpelt(like: suffix.utf8.span)
  }

  static let suffix = ".desktop"

  static func == (one: Self, other: Self) -> Bool { one.text.isSpelt(like: other.text) }

  /// All bytes at once: there are thousands of names.
  func hash(into hasher: inout Hasher) {
    text.utf8.span.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
