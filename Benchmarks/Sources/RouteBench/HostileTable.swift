// SPDX-License-Identifier: Apache-2.0
/// Routes and URLs that target one possible weakness of a matcher each.
struct HostileTable {
  let name: String
  let patterns: [String]
  /// The URL, of about the requested length.
  let url: (_ bytes: Int) -> String

  /// The tables, with `count` routes of each kind.
  static func all(count: Int) -> [HostileTable] {
    [
      prefixes(count), forks(count), rests(count), typedRests(count), hosts(count), optionals(count),
      queries(count),
      texts(count),
    ]
  }

  /// Each prefix is a prefix of the next, all match the beginning of the segment, and all fail on its remainder.
  private static func prefixes(_ count: Int) -> HostileTable {
    HostileTable(
      name: "overlapping prefixes",
      patterns: (1...count).map { "a:/p/\(String(repeating: "x", count: $0)){rest}/end\($0)" },
      url: { "a:/p/\(String(repeating: "x", count: $0 - 10))/none" })
  }

  /// A literal or a capture in every segment: 2 to the power of their number paths through the table.
  private static func forks(_ count: Int) -> HostileTable {
    let depth = Int.bitWidth - (count - 1).leadingZeroBitCount
    return HostileTable(
      name: "literal or capture at every position",
      patterns: (0..<count).map { number in
        "a:/f" + (0..<depth).map { number >> $0 & 1 == 0 ? "/x" : "/{c\($0)}" }.joined() + "/{rest...}/end"
      },
      url: { bytes in
        let text = String(repeating: "y", count: bytes / 1_000 - 1)
        return "a:/f" + String(repeating: "/x", count: depth)
          + String(repeating: "/\(text)", count: 1_000 - 2 * depth)
      })
  }

  /// Two catch-alls, each with an anchor that occurs everywhere and an end that occurs nowhere.
  private static func rests(_ count: Int) -> HostileTable {
    HostileTable(
      name: "two catch-alls, distinct anchors",
      patterns: (0..<count).map { "a:/r/{a...}/anchor\($0)/{b...}/end\($0)" },
      url: { bytes in
        let segments = (0..<1_000).map { "/anchor\($0 % count)" }.joined()
        return "a:/r" + segments + "/"
          + String(repeating: "z", count: max(0, bytes - segments.utf8.count - 5))
      })
  }

  /// A typed catch-all whose segments match the type, except the last one.
  private static func typedRests(_ count: Int) -> HostileTable {
    HostileTable(
      name: "rests of a type",
      patterns: (0..<count).map { "a:/s/{a:/(a|b)*a(a|b){\($0 % 8)}/...}/end\($0)" },
      url: { bytes in
        "a:/s" + String(repeating: "/" + String(repeating: "a", count: bytes / 1_000 - 2), count: 1_000)
      })
  }

  /// A literal or a capture in every label of a host, after a catch-all.
  private static func hosts(_ count: Int) -> HostileTable {
    let depth = Int.bitWidth - (count - 1).leadingZeroBitCount
    return HostileTable(
      name: "label or capture at every position",
      patterns: (0..<count).map { number in
        "https://*" + (0..<depth).map { number >> $0 & 1 == 0 ? ".x" : ".{c\($0)}" }.joined()
          + "/end\(number)"
      },
      url: {
        "https://" + String(repeating: "x.", count: 120) + "x/" + String(repeating: "y", count: $0 - 250)
      })
  }

  /// Twenty query items that are captured and never select, and a required one that is absent.
  private static func optionals(_ count: Int) -> HostileTable {
    let optionals = (0..<20).map { "&o\($0)={o\($0):uint?}" }.joined()
    return HostileTable(
      name: "many optional query items",
      patterns: (0..<count).map { "a:/o?key\($0)={key}\(optionals)" },
      url: { "a:/o?" + items(250, bytes: $0 - 5) { "o\($0 % 20)" } })
  }

  /// A single path; only the query selects, and one item of every pair is present.
  private static func queries(_ count: Int) -> HostileTable {
    HostileTable(
      name: "query only, one path",
      patterns: (0..<count).map { "a:/q?a\($0 % 250)={a:uint}&b\($0)={b}" },
      url: { "a:/q?" + items(250, bytes: $0 - 5) { "a\($0)" } })
  }

  /// One long segment that is matched by several parts, types and automata.
  private static func texts(_ count: Int) -> HostileTable {
    HostileTable(
      name: "parts and automata in one segment",
      patterns: (0..<count).map { number in
        switch number % 3 {
        case 0: "a:/t/{a}-{b}-{c:uint}-\(number)/{d}"
        case 1: "a:/t/{a:/(a|-)*a(a|-){8}/}/end\(number)"
        default: "a:/t/{a}-{b:hex}/{c:/[0-9]{1,\(number % 200 + 1)}x/}/end\(number)"
        }
      },
      url: { "a:/t/\(String(repeating: "-a", count: ($0 - 10) / 2))/none" })
  }

  private static func items(_ count: Int, bytes: Int, key: (Int) -> String) -> String {
    let value = String(repeating: "1", count: max(1, bytes / count - 7))
    return (0..<count).map { key($0) + "=" + value }.joined(separator: "&")
  }
}
