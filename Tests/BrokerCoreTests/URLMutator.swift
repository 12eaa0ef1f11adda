// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A generator of URLs for a host, in spellings that an attacker would try.
struct URLMutator {
  private var random: SeededGenerator

  /// Creates a generator whose URLs follow from the seed.
  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private static let special = ["http", "https", "ws", "wss", "ftp"]
  private static let others = ["notes", "app", "web+x", "git", "mailto"]
  private static let hosts = [
    "bank.example", "bank.example", "bank.example", "bank.example", "bank.example", "bank.example",
    "localhost", "127.0.0.1", "bänk.example", "faß.de", "[::1]", "xn--bnk-qla.example",
    "bank.example.org", "a.bank.example",
  ]

  /// Returns one URL.
  mutating func next() -> String {
    var scheme =
      random.oneIn(4) ? random.pick(Self.others) : random.oneIn(16) ? "file" : random.pick(Self.special)
    if random.oneIn(6) { scheme = mixedCase(scheme) }
    var host = random.pick(Self.hosts)
    for _ in 0..<random.pick([0, 1, 1, 2, 3]) { host = mutated(host) }
    let slashes = random.pick([
      "//", "//", "//", "//", "//", "//", "/", "", "///", "////", "/\\", "\\\\", "/%2F",
    ])
    let user = random.pick([
      "", "", "", "", "x@", "@", "x:y@", "a@b@", "bank.example@", "%40@", "bank.example:443@", "ä@",
      "bank.example%2F@", "bank.example;@", "bank.example\\@", "a;b@", "a\\b@",
    ])
    let port = random.pick([
      "", "", "", "", "", "", "", "", ":", ":80", ":443", ":0443", ":8080", ":65536", ":x", ":%34", ":８０",
      ";",
      ";.other.example", ";80", ":80;x", "\\.other.example", "\\x.other.example", "\\046other.example",
    ])
    let path = random.pick([
      "", "/", "/a", "/a/../b", "/%2e%2e/x", "?q", "#f", "/a?b#c", "//x", "/@x", "?@x", "#@x", "/:80", "\\x",
      "/ä", "/%E9", ";x", "/a;b", "\\@other.example/",
    ])
    var url = "\(scheme):\(slashes)\(user)\(host)\(port)\(path)"
    // An arbitrary scalar at an arbitrary index.
    if random.oneIn(8) {
      let place = random.below(url.unicodeScalars.count + 1)
      let index = url.unicodeScalars.index(url.unicodeScalars.startIndex, offsetBy: place)
      url.unicodeScalars.insert(contentsOf: random.pick(Self.insertions).unicodeScalars, at: index)
    }
    return url
  }

  private static let insertions = [
    "\u{AD}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{FE0F}", "\u{FEFF}", "%C2%AD", "%00", "%",
    "%zz", "%25", "%2e", "%2E", "%2F",
    "%3A", "%40", "%5C", "\\", "\\", ";", ";", "%3B", "；", "＼", ",", "\t", "\n", " ", "@", ":", "/", "?", "#",
    "[", "]", "。", "．", "｡", ".", "／",
    "：", "＠", "？", "＃", "％", "\u{3000}",
    "\u{1E9E}", "ß", "ς", "ı", "İ", "K", "ﬁ", "㎏", "①", "\u{301}", "\u{FFFD}", "\u{E000}", "\u{7F}", "\u{80}",
    "^", "|", "<", "_", "~", "!",
    "xn--", "XN--", "😀", "\u{202E}", "١", "０",
  ]

  private mutating func mutated(_ host: String) -> String {
    var scalars = Array(host.unicodeScalars)
    guard !scalars.isEmpty else { return host }
    let place = random.below(scalars.count)
    switch random.below(12) {
    case 0: return mixedCase(host)
    case 1, 2:
      scalars[place] = fullWidth(scalars[place])
      return text(scalars)
    case 3:
      return text(scalars.map(fullWidth))
    case 4, 5:
      let encoded = String(scalars[place]).utf8.map { byte in
        "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: random.oneIn(2))
      }.joined()
      return text(Array(scalars[..<place])) + encoded + text(Array(scalars[(place + 1)...]))
    case 6: return host.replacing(".", with: random.pick(["。", "．", "｡", "%2E", "%2e", "%EF%BC%8E", ".."]))
    case 7: return host + random.pick([".", "..", "。", "%2e"])
    case 8:
      return random.pick([
        "2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "127.1", "127.0.1", "1.2.3.4.5", "256.1.1.1",
        "0x", "09.1.1.1", "1e3", "127.0.0.1.",
        "[::ffff:127.0.0.1]", "[0:0:0:0:0:0:0:1]", "[::1", "::1", "[::1]x", "[v1.a]",
      ])
    default:
      let insertion = Array(random.pick(Self.insertions).unicodeScalars)
      return text(Array(scalars[..<place])) + text(insertion) + text(Array(scalars[place...]))
    }
  }

  private func fullWidth(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard (0x21...0x7E).contains(scalar.value) else { return scalar }
    return Unicode.Scalar(scalar.value + 0xFEE0) ?? scalar
  }

  private mutating func mixedCase(_ text: String) -> String {
    String(text.map { random.oneIn(2) ? Character($0.uppercased().first.map(String.init) ?? "") : $0 })
  }

  private func text(_ scalars: [Unicode.Scalar]) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
