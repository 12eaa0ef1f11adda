// SPDX-License-Identifier: Apache-2.0
import Glibc
import OpenSocket
import RemoteProtocol
import Synchronization

/// A call of `usher open`, `xdg-open` or `open` whose links are opened on the desktop from which the user has connected to this machine.
struct RemoteCall {
  /// The names under which the command is called as a browser.
  private static let browserNames = ["open", "usher-open", "www-browser", "x-www-browser"]
  /// The time in milliseconds in which the relay must answer beyond the timeout of the request.
  private static let grace = 10_000
  /// The default timeout of a request in seconds.
  private static let defaultTimeout = 20.0
  /// The time in seconds in which a relay must introduce itself, if the caller gives no timeout.
  private static let contactTimeout = 10.0

  /// The arguments of the call.
  private enum Arguments {
    case valid
    case invalid(String)
    case missingFile(String)
  }

  /// A Boolean value that is `true` if the command was called as `xdg-open`.
  let isXDGOpen: Bool
  private let paths: [String]
  private var arguments = Arguments.valid
  private var urls: [String] = []
  private var fields: [RemoteMessage.Field] = []
  /// The timeout in seconds that the caller has given.
  private var timeout: Double?
  private var printsJSON = false

  /// Creates the call of these words, the program's name first; `nil` if the links are opened on this machine, or if it is another
  /// subcommand.
  ///
  /// A link goes to the desktop if `USHER_SOCKET` is set. Otherwise it does so if a relay's socket is here, and this is a remote login or
  /// a container, or has no session bus.
  ///
  /// - Parameters:
  ///   - needsSocket: Whether there is no such call without the socket of a relay, because this machine may open the links.
  ///   - variable: Returns the value of an environment variable.
  init?(_ words: [String], needsSocket: Bool = true, variable: (String) -> String?) {
    // Most calls are made where the desktop is, so this comes first.
    let isChosen = variable(RemoteSocket.variable).map { !$0.isEmpty } ?? false
    guard isChosen || Self.isElsewhere(variable), let program = words.first else { return nil }
    isXDGOpen = XDGOpenCall.isName(ofProgram: program)
    let name = program.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
    let isBrowser = Self.browserNames.contains(name)
    guard isXDGOpen || isBrowser || words.dropFirst().first == "open" else { return nil }
    if case .some(let call) = isXDGOpen ? XDGOpenCall(Array(words.dropFirst())) : nil {
      guard case .open = call else { return nil }
    }
    paths = RemoteSocket.candidates(variable)
    guard !paths.isEmpty || !needsSocket else { return nil }
    parse(Array(words.dropFirst(isXDGOpen || isBrowser ? 1 : 2)))
    if let hops = variable(RequestVariable.hops) { add("hops", hops) }
  }

  /// Returns whether the user's desktop is on another machine.
  private static func isElsewhere(_ variable: (String) -> String?) -> Bool {
    if variable("SSH_CONNECTION") != nil { return true }
    if access("/run/.containerenv", F_OK) == 0 || access("/.dockerenv", F_OK) == 0 { return true }
    if let address = variable("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return false }
    return variable("XDG_RUNTIME_DIR").map { access("\($0)/bus", F_OK) != 0 } ?? true
  }

  /// Sends the request, prints the outcome, and returns the exit status; `nil` if no relay can be reached, and the user has not
  /// chosen one.
  func carryOut() -> Int32? {
    switch arguments {
    case .invalid(let reason): return fail(reason, status: isXDGOpen ? 1 : 64)
    case .missingFile(let path): return fail("file '\(path)' does not exist", status: 2)
    case .valid: break
    }
    var message = RemoteMessage(.open, ["id": FastPathArguments.randomID()])
    message.fields += urls.map { RemoteMessage.Field("url", $0) } + fields
    let client = RemoteClient(
      message, contactTimeout: Int((timeout ?? Self.contactTimeout) * 1_000),
      timeout: Int32((timeout ?? Self.defaultTimeout) * 1_000) + Int32(Self.grace),
      interruption: Interruption.descriptor
    ) { text in
      if isatty(STDERR_FILENO) != 0 { Self.print("\(text)\n", to: STDERR_FILENO) }
    }
    switch client.carryOut(at: paths) {
    case .result(let result): return report(result)
    case .invalid(let reason):
      return fail("\(reason); open fewer links at once, or shorter ones", status: isXDGOpen ? 1 : 64)
    case .interrupted:
      // The handler has restored the default effect of the signal.
      raise(SIGINT)
      return 130
    case .rejected(let reason):
      return fail("the relay on the desktop rejects the connection: \(reason)", status: isXDGOpen ? 4 : 5)
    case .lost(let reason):
      return fail(
        "\(reason); it is unknown whether the link was opened; check before you try again",
        status: isXDGOpen ? 4 : 5)
    case .unreachable: return getenv(RemoteSocket.variable) == nil ? nil : reportUnreachable()
    }
  }

  /// Reports that no desktop can be reached, with the links to copy; returns the exit status.
  func reportUnreachable() -> Int32 {
    let links = urls.map { "\n  \($0)" }.joined()
    let tried = paths.isEmpty ? "" : " (tried \(paths.joined(separator: ", ")))"
    return fail(
      "no desktop can be reached from here\(tried); open this yourself:\(links)",
      status: isXDGOpen ? 3 : 69)
  }

  private func report(_ result: RemoteMessage) -> Int32 {
    let status = result[isXDGOpen ? "xdg-status" : "status"].flatMap { Int32($0) } ?? (isXDGOpen ? 4 : 5)
    if printsJSON {
      Self.print("\(result["json"] ?? "{}")\n", to: STDOUT_FILENO)
      return status
    }
    if !isXDGOpen {
      let name = isatty(STDOUT_FILENO) == 0 ? "value" : "line"
      for line in result.values(of: name) { Self.print("\(line)\n", to: STDOUT_FILENO) }
    }
    guard status != 0 else { return 0 }
    return fail(result["error"] ?? "the link was not opened", status: status)
  }

  private func fail(_ reason: String, status: Int32) -> Int32 {
    Self.print("\(isXDGOpen ? "xdg-open" : "usher"): \(reason)\n", to: STDERR_FILENO)
    return status
  }

  /// Writes text to standard output or standard error.
  static func print(_ text: String, to descriptor: Int32) {
    var text = text
    _ = text.withUTF8 { write(descriptor, $0.baseAddress, $0.count) }
  }

  // MARK: Arguments

  private mutating func add(_ name: String, _ value: String) {
    fields.append(RemoteMessage.Field(name, value))
  }

  /// Parses the words after the subcommand, as `usher open` does; an option may be `--name=value` or `--name value`.
  private mutating func parse(_ words: [String]) {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.utf8.starts(with: "--".utf8), word != "--" else {
        if word != "--" { addURL(word) }
        continue
      }
      let text = word.utf8.dropFirst(2)
      let end = text.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
      let name = String(Substring(text[..<end]))
      switch name {
      case "json": printsJSON = true
      case "universal-links-only": add(name, "true")
      case "from-desktop", "progress": break
      case "wait", "timeout", "app", "annotation", "fallback", "origin", "target-content-id":
        let given = end < text.endIndex ? String(Substring(text[text.index(after: end)...])) : rest.popFirst()
        guard let value = given else {
          arguments = .invalid("--\(name) needs a value")
          return
        }
        take(name, value)
      default:
        arguments = .invalid(
          "--\(name) is not available for links that open on the desktop of another machine")
      }
    }
    if urls.isEmpty, case .valid = arguments { arguments = .invalid("no URL is given; add one") }
  }

  private mutating func take(_ name: String, _ value: String) {
    switch name {
    case "timeout":
      guard let seconds = Double(value), seconds >= 0.001, seconds <= 86_400 else {
        arguments = .invalid("--timeout must be from 0.001 to 86400 seconds")
        return
      }
      timeout = seconds
      add(name, "\(Int(seconds * 1_000_000))")
    case "app": add("target", value)
    default: add(name, value)
    }
  }

  /// Adds a URL, or the `file:` URL of an existing file of this machine.
  private mutating func addURL(_ word: String) {
    let hasScheme =
      word.utf8.firstIndex(of: UInt8(ascii: ":")).map { colon in
        word.utf8[..<colon].allSatisfy { byte in
          let letter = byte | 0x20
          return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
        } && !word.utf8[..<colon].isEmpty
      } ?? false
    guard !hasScheme else { return urls.append(Self.encoded(word)) }
    let bytes = Self.originalBytes(of: word)
    guard let real = bytes.withUnsafeBufferPointer({ $0.baseAddress.flatMap { realpath($0, nil) } }) else {
      arguments = .missingFile(word)
      return
    }
    defer { free(real) }
    var path = "file://"
    for byte in UnsafeBufferPointer(start: real, count: strlen(real)).map({ UInt8(bitPattern: $0) }) {
      let isPlain =
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "/-._~".utf8.contains(byte)
      path += isPlain ? String(UnicodeScalar(byte)) : Self.encoded(byte)
    }
    urls.append(path)
  }

  /// Returns an argument as a URL: as browsers do, what is not ASCII is encoded unless the argument is UTF-8.
  private static func encoded(_ word: String) -> String {
    guard word.unicodeScalars.contains("\u{FFFD}") else { return word }
    let bytes = originalBytes(of: word).dropLast().map { UInt8(bitPattern: $0) }
    guard String(validating: bytes, as: UTF8.self) == nil else { return word }
    return bytes.map { $0 < 0x80 ? String(UnicodeScalar($0)) : encoded($0) }.joined()
  }

  private static func encoded(_ byte: UInt8) -> String {
    (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
  }

  /// Returns the bytes of an argument, and a terminating zero; Swift repairs arguments that are not UTF-8.
  private static func originalBytes(of word: String) -> [CChar] {
    let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    let original = arguments.lazy.compactMap(\.self).first { String(cString: $0) == word }
    return original.map { Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1)) }
      ?? Array(word.utf8CString)
  }
}

/// The ^C of the user, as a descriptor that becomes readable.
private enum Interruption {
  /// The end of a pipe that the handler of the signal writes.
  private static let writingEnd = Atomic<Int32>(-1)

  /// The descriptor that becomes readable with the first ^C; -1 if there is no pipe.
  ///
  /// The second ^C has the default effect.
  static var descriptor: Int32 {
    var pair: [Int32] = [-1, -1]
    guard pipe(&pair) == 0 else { return -1 }
    writingEnd.store(pair[1], ordering: .relaxed)
    signal(SIGINT) { _ in
      signal(SIGINT, SIG_DFL)
      var byte: UInt8 = 0
      write(Interruption.writingEnd.load(ordering: .relaxed), &byte, 1)
    }
    return pair[0]
  }
}
