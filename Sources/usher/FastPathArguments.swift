import Glibc
import OpenSocket

/// The arguments of a call that the front performs itself: one plain URL, opened with default options.
///
/// The complete command parses these arguments identically; every doubtful case is left to it.
struct FastPathArguments: Equatable {
  /// The packet for the broker.
  let packet: OpenPacket
  /// A Boolean value that is `true` if the command was called as `xdg-open`, which prints nothing on success.
  let isXDGOpen: Bool

  /// Parses `words`, the program's name first; `nil` for anything else, such as a file path or another option.
  ///
  /// - Parameter variable: returns the value of an environment variable.
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
        // The socket has one answer, so that several URLs need the complete command.
        guard url == nil, Self.isPlainURL(word) else { return nil }
        url = word
      }
    }
    // A launcher waits for its opener, which therefore must not run as long as the application needs.
    if wait == nil, fromDesktop { wait = "accepted" }
    // The launcher passes the token for the application's window in these variables.
    let token = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"].lazy.compactMap(variable).first { !$0.isEmpty }
    // A forwarded request must have its hops counted, which the complete command does.
    guard let url, token.map(Self.isPlainToken) ?? true,
      !RequestVariable.all.contains(where: { variable($0) != nil })
    else { return nil }
    self.isXDGOpen = isXDGOpen
    packet = OpenPacket(
      url: url, requestID: Self.randomID(), wait: wait == "delivered" ? nil : wait, activationToken: token)
  }

  /// Returns `true` if `word` is a URL that needs no escaping and does not name a local file.
  private static func isPlainURL(_ word: String) -> Bool {
    guard word.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      let colon = word.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return false }
    let scheme = word.utf8[..<colon]
    guard let first = scheme.first, isLetter(first),
      scheme.allSatisfy({ isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }),
      // The complete command checks whether the file exists before it opens it.
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

  /// Returns `true` if the token can be sent unchanged.
  private static func isPlainToken(_ token: String) -> Bool {
    token.utf8.count <= 4_096 && token.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  /// Returns 128 random bits in hexadecimal, so that other callers cannot guess the ID.
  private static func randomID() -> String {
    [UInt64.random(in: .min ... .max), .random(in: .min ... .max)].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }
}
