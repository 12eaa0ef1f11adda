import Glibc
import OpenSocket

/// A call that the front carries out by itself: links as they are written, opened as usual.
///
/// What this reads, the whole command reads in the same way; whatever needs a second look is the whole command's.
struct PlainCall: Equatable {
  /// What the broker is asked for.
  let packet: OpenPacket

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
    var (urls, wait, fromDesktop): ([String], String?, Bool) = ([], nil, false)
    for word in arguments {
      switch word {
      case "--from-desktop" where !isXDGOpen: fromDesktop = true
      case "--wait=accepted" where !isXDGOpen: wait = "accepted"
      case "--wait=delivered" where !isXDGOpen: wait = "delivered"
      default:
        guard Self.isPlainURL(word) else { return nil }
        urls.append(word)
      }
    }
    // An opener must not stay as long as an application needs.
    if wait == nil, fromDesktop { wait = "accepted" }
    // Several links have an answer each, and a request that is handed on is one round further.
    guard urls.count == 1, !RequestVariable.all.contains(where: { variable($0) != nil }),
      let token = Self.activationToken(variable)
    else { return nil }
    packet = OpenPacket(
      urls: urls, requestID: Self.randomID(), wait: wait == "delivered" ? nil : wait,
      activationToken: token.isEmpty ? nil : token)
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

  /// What the launcher that started us gave us for the application's window, empty where that is nothing; `nil` where it needs
  /// a second look.
  private static func activationToken(_ variable: (String) -> String?) -> String? {
    for name in ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"] {
      guard let value = variable(name), !value.isEmpty else { continue }
      return value.utf8.count <= 4_096 && value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } ? value : nil
    }
    return ""
  }

  /// 128 random bits, so that nobody guesses another caller's.
  private static func randomID() -> String {
    [UInt64.random(in: .min ... .max), .random(in: .min ... .max)].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }
}
