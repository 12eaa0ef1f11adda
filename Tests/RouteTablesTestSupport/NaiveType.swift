// SPDX-License-Identifier: Apache-2.0
/// A type by its definition: a predicate on texts.
struct NaiveType: Sendable {
  let text: String
  let matches: @Sendable (String) -> Bool

  static let all: [NaiveType] = [
    NaiveType(text: "") { _ in true },
    NaiveType(text: ":int") { text in Int64(text).map { String($0) == text } ?? false },
    NaiveType(text: ":uint") { text in UInt64(text).map { String($0) == text } ?? false },
    NaiveType(text: ":bool") { $0 == "true" || $0 == "false" },
    NaiveType(text: ":hex") {
      !$0.isEmpty && $0.utf8.allSatisfy { "0123456789abcdefABCDEF".utf8.contains($0) }
    },
    NaiveType(text: ":slug") { text in
      text.split(separator: "-", omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && $0.utf8.allSatisfy { "0123456789abcdefghijklmnopqrstuvwxyz".utf8.contains($0) }
      }
    },
    NaiveType(text: ":a|b") { $0 == "a" || $0 == "b" },
    NaiveType(text: ":/[a-c]+/") { !$0.isEmpty && $0.utf8.allSatisfy { "abc".utf8.contains($0) } },
    NaiveType(text: ":string(1,2)") { (1...2).contains($0.unicodeScalars.count) },
  ]

  /// Texts that distinguish the types, and the parts made of them.
  static let universe: [String] = {
    let pieces = [
      "", "a", "b", "c", "g", "h", "7", "-1", "true", "é", "A", "-", "18446744073709551615", "abc", "7a",
      "a/b", "ab-c",
      "zz9-", "07", "x y", "B", "false", "-7", "99", "..", "x.y", "A/b",
    ]
    var texts = Set(pieces)
    for first in pieces {
      for start in ["a", "v", "A"] { texts.insert(start + first) }
      for end in ["z", "a", "b"] { texts.insert(first + end) }
      for second in ["a", "7", "b-", "true", "G"] {
        texts.formUnion([first + "-" + second, "a" + first + "-" + second, first + "-" + second + "a"])
      }
      texts.formUnion(["a" + first + "z", "a" + first + "a", "v" + first + "z", "v" + first + "a"])
    }
    return texts.sorted()
  }()
}
