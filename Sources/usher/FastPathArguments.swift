import Glibc
import OpenSocket

/// A call that the front carries out by itself: links as they are written, opened as usual.
///
/// What this reads, the whole command reads in the same way; whatever needs a second look is the whole command's.
struct FastPathArguments: Equatable {
  /// What the broker is asked for.
  let packet: OpenPacket
  /// Whether the command was called by that name: it says nothing where all went well.
  let isXDGOpen: Bool

  /// Reads `words`, the program's name first; `nil` where they are anything else, as a file's path or an option that changes
  /// what is done.
  ///
  /// - Parameter variable: the environment's value of a name.
  init?(_ words: [String], variable: (String) -> String?) {
    guard let program = words.first else { return nil }
    var arguments = words.dropFirst()
    let isXDGOpen =
      program.utf8.split(separator: UInt8(ascii: "/")).last?.elementsEqual("xdg-open".utf8) == true
    guard isXDGOpen ? arguments.count == 1 : arguments.popFirst() == "open" else { return nil }
    var (url, wait, fromDesktop): (String?, String?, Bool) = (nil, nil, false)
    for word in arguments {
      switch word {
      case "--from-desktop" where !isXDGOpen: fromDesktop = true
      case "--wait=accepted" where !isXDGOpen: wait = "accepted"
      case "--wait=delivered" where !isXDGOpen: wait = "delivered"
      default:
        // Several links have an answer each.
        guard url == nil, Self.isPlainURL(word) else { return nil }
        url = word
      }
    }
    // An opener must not stay as long as an application needs.
    if wait == nil, fromDesktop { wait = "accepted" }
    // What the launcher that started us gave us for the application's window.
    let token = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"].lazy.compactMap(variable).first { !$0.isEmpty }
    // A request that is handed on is one round further, and is counted so.
    guard let url, token.map(Self.isPlainToken) ?? true,
      !RequestVariable.all.contains(where: { variable($0) != nil })
    else { return nil }
    self.isXDGOpen = isXDGOpen
    packet = OpenPacket(
      url: url, requestID: Self.randomID(), wait: wait == "delivered" ? nil : wait, activationToken: token)
  }

  /// Whether `word` is a URL without anything to be escaped, and of nothing on this machine's disk.
  private static func isPlainURL(_ word: String) -> Bool {
    guard word.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      let colon = word.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return false }
    let scheme = word.utf8[..<colon]
    guard let first = scheme.first, isLetter(first),
      scheme.allSatisfy({ isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }),
      // Whether the file is there is told before it is opened.
      !scheme.map({ $0 | 0x20 }).elementsEqual("file".utf8)
    else { return false }
    var status = stat()
    return lstat(word, &status) != 0
  }

  // RFC 3986, 3.1.
  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Whether nothing of it must be left out.
  private static func isPlainToken(_ token: String) -> Bool {
    token.utf8.count <= 4_096 && token.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  /// 128 random bits, so that nobody guesses another caller's.
  private static func randomID() -> String {
    [UInt64.random(in: .min ... .max), .random(in: .min ... .max)].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }
}
