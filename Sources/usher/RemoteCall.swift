// SPDX-License-Identifier: Apache-2.0
import FileOutput
import Glibc
import OpenSocket
import RemoteProtocol
import Synchronization

/// A call of `usher open`, `xdg-open` or `open` whose links are opened on the desktop from which the user has connected to this machine.
struct RemoteCall {
  /// The outcome of a call.
  enum Outcome {
    /// The outcome was printed; the process exits with this status.
    case finished(Int32)
    /// No relay can be reached, and nothing was printed; the text has the reason for each socket that was tried.
    case unreachable(String)
  }

  /// The names under which the command is called as a browser.
  private static let browserNames = ["open", "usher-open", "www-browser", "x-www-browser"]
  /// The names of the options that have a value.
  static let optionsWithValue = [
    "wait", "timeout", "app", "annotation", "fallback", "origin", "target-content-id",
  ]
  /// The time in milliseconds in which the relay must answer beyond the timeout of the request.
  private static let grace = 10_000
  /// The default timeout of a request in seconds.
  private static let defaultTimeout = 20.0
  /// The time in seconds in which a relay must introduce itself, if the caller gives no timeout.
  private static let contactTimeout = 10.0

  /// A Boolean value that is `true` if the command was called as `xdg-open`.
  let isXDGOpen: Bool
  /// A Boolean value that indicates whether the user has chosen the socket, so that this machine opens no link.
  let isOfChosenSocket: Bool
  private let paths: [String]
  private let id: String
  /// The first error in the arguments.
  private var argumentError: ClientFailure?
  /// A Boolean value that is `true` if an option is not available for links that open on another desktop.
  private var hasOtherOption = false
  private var urls: [String] = []
  private var fields: [RemoteMessage.Field] = []
  /// The timeout in seconds that the caller has given.
  private var timeout: Double?
  private var printsJSON = false
  /// The number of the process's arguments before the next one whose bytes may be read.
  private var readArguments = 0

  /// Creates the call of these words, the program's name first; `nil` if the links are opened on this machine, or if it is another
  /// subcommand.
  ///
  /// A link goes to the desktop if `USHER_SOCKET` is set. Otherwise it does so if a relay's socket is here, and this is a remote login or
  /// a container, or has no session bus. The complete command has the help, and more options: unless the user has chosen the socket, a
  /// call with one of them is a call for this machine.
  ///
  /// - Parameters:
  ///   - isAlone: Whether this machine has nothing of Usher but this program, so that it opens no links itself.
  ///   - variable: Returns the value of an environment variable.
  init?(_ words: [String], isAlone: Bool = false, variable: (String) -> String?) {
    // Most calls are made where the desktop is, so this comes first.
    isOfChosenSocket = variable(RemoteSocket.variable).map { !$0.isEmpty } ?? false
    guard isOfChosenSocket || isAlone || Self.isElsewhere(variable), let program = words.first else {
      return nil
    }
    isXDGOpen = XDGOpenCall.isName(ofProgram: program)
    let name = Self.name(ofProgram: program)
    let isBrowser = Self.browserNames.contains(name) || isAlone && name != "usher"
    guard isXDGOpen || isBrowser || words.dropFirst().first == "open" else { return nil }
    guard isAlone || !ClientHelp.isRequested(by: words) else { return nil }
    var links: String?
    if isXDGOpen {
      guard case .open(let link) = Self.xdgOpen(words) else { return nil }
      links = link
    }
    paths = RemoteSocket.candidates(variable)
    guard !paths.isEmpty || isAlone else { return nil }
    id = FastPathArguments.randomID()
    if let links { addURL(links) } else { parse(Array(words.dropFirst(isBrowser ? 1 : 2))) }
    guard isAlone || isOfChosenSocket || !hasOtherOption else { return nil }
    if let hops = variable(RequestVariable.hops) { add("hops", hops) }
  }

  /// Returns the last component of a program's path.
  static func name(ofProgram path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
  }

  /// Parses a call by the name of `xdg-open`, the program's name first; unlike `xdg-open`, it takes `--` before the link.
  static func xdgOpen(_ words: [String]) -> XDGOpenCall {
    guard words.count > 2, words[1] == "--" else { return XDGOpenCall(Array(words.dropFirst())) }
    guard words.count == 3 else { return .syntax("unexpected argument '\(words[3])'") }
    return words[2].isEmpty ? XDGOpenCall([]) : .open(words[2])
  }

  /// Returns whether the user's desktop is on another machine.
  private static func isElsewhere(_ variable: (String) -> String?) -> Bool {
    if variable("SSH_CONNECTION") != nil { return true }
    if access("/run/.containerenv", F_OK) == 0 || access("/.dockerenv", F_OK) == 0 { return true }
    if let address = variable("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return false }
    return variable("XDG_RUNTIME_DIR").map { access("\($0)/bus", F_OK) != 0 } ?? true
  }

  /// Sends the request, and prints the outcome unless no relay can be reached.
  func carryOut() -> Outcome {
    if let argumentError { return .finished(fail(argumentError)) }
    var message = RemoteMessage(.open, ["id": id])
    message.fields += urls.map { RemoteMessage.Field("url", $0) } + fields
    let client = RemoteClient(
      message, contactTimeout: Int((timeout ?? Self.contactTimeout) * 1_000),
      timeout: Int32((timeout ?? Self.defaultTimeout) * 1_000) + Int32(Self.grace),
      interruption: Interruption.descriptor
    ) { text in
      if isatty(STDERR_FILENO) != 0 { Self.print("\(text.visibleInOneLine)\n", to: STDERR_FILENO) }
    }
    switch client.carryOut(at: paths) {
    case .result(let result): return .finished(report(result))
    case .invalid(let reason):
      return .finished(fail(.usage("\(reason); open fewer links at once, or shorter ones")))
    case .interrupted:
      // The handler has restored the default effect of the signal.
      raise(SIGINT)
      return .finished(130)
    case .rejected(let reason):
      return .finished(fail(.rejected("the relay on the desktop rejects the connection: \(reason)")))
    case .lost(let reason):
      return .finished(
        fail(.lost("\(reason); it is unknown whether the link was opened; check before you try again")))
    case .unreachable(let reason): return .unreachable(reason)
    }
  }

  /// Reports that no desktop can be reached, with the links to copy; returns the exit status.
  ///
  /// - Parameter reason: The reason for each socket that was tried.
  func reportUnreachable(_ reason: String) -> Int32 {
    let links = urls.map { "\n  \($0)" }.joined()
    let tried = paths.isEmpty ? "" : " (tried \(reason))"
    // The user of a container may be another one than that of the desktop.
    let advice =
      paths.contains { access($0, W_OK) != 0 && errno == EACCES }
      ? "; a container must map its user to yours, with podman: --userns=keep-id" : ""
    return fail(
      .unreachable("no desktop can be reached from here\(tried)\(advice); open this yourself:\(links)"))
  }

  private func report(_ result: RemoteMessage) -> Int32 {
    let status = result[isXDGOpen ? "xdg-status" : "status"].flatMap { Int32($0) } ?? (isXDGOpen ? 4 : 5)
    if printsJSON {
      Self.print("\(result["json"] ?? "{}")\n", to: STDOUT_FILENO)
      return status
    }
    if !isXDGOpen {
      // A terminal shows what applications and other machines say; another program receives the values unchanged.
      let isTerminal = isatty(STDOUT_FILENO) != 0
      for line in result.values(of: isTerminal ? "line" : "value") {
        Self.print("\(isTerminal ? line.visibleInOneLine : line)\n", to: STDOUT_FILENO)
      }
    }
    if status != 0 { warn((result["error"] ?? "the link was not opened").visibleInOneLine) }
    return status
  }

  /// Prints an error, and returns the exit status.
  private func fail(_ failure: ClientFailure) -> Int32 {
    if printsJSON {
      Self.print("\(failure.json(of: id))\n", to: STDOUT_FILENO)
    } else {
      warn(failure.message)
    }
    return failure.status(isXDGOpen: isXDGOpen)
  }

  private func warn(_ text: String) {
    Self.print("\(isXDGOpen ? "xdg-open" : "usher"): \(text.visible)\n", to: STDERR_FILENO)
  }

  /// Writes text to standard output or standard error; an error of standard output is reported.
  static func print(_ text: String, to descriptor: Int32) {
    guard let code = text.utf8.writeAll(to: descriptor), descriptor == STDOUT_FILENO, code != EPIPE
    else { return }
    print("usher: cannot write the output: \(String(cString: strerror(code)))\n", to: STDERR_FILENO)
  }

  // MARK: Arguments

  private mutating func add(_ name: String, _ value: String) {
    fields.append(RemoteMessage.Field(name, value))
  }

  /// Parses the words after the subcommand, as `usher open` does; an option may be `--name=value` or `--name value`.
  private mutating func parse(_ words: [String]) {
    // Also an error before it is printed so.
    printsJSON = words.prefix { $0 != "--" }.contains("--json")
    var rest = words[...]
    while argumentError == nil, let word = rest.popFirst() {
      guard word != "--" else {
        for link in rest where argumentError == nil { addURL(link) }
        break
      }
      guard word.utf8.starts(with: "--".utf8) else {
        addURL(word)
        continue
      }
      let text = word.utf8.dropFirst(2)
      let end = text.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
      let name = String(Substring(text[..<end]))
      switch name {
      case "json", "from-desktop", "progress": break
      case "universal-links-only": add(name, "true")
      case _ where Self.optionsWithValue.contains(name):
        let given = end < text.endIndex ? String(Substring(text[text.index(after: end)...])) : rest.popFirst()
        if let value = given { take(name, value) } else { argumentError = .usage("--\(name) needs a value") }
      default:
        hasOtherOption = true
        argumentError = .usage(
          "--\(name) is not available for links that open on the desktop of another machine")
      }
    }
    if urls.isEmpty, argumentError == nil { argumentError = .usage("no URL is given; add one") }
  }

  private mutating func take(_ name: String, _ value: String) {
    switch name {
    case "timeout":
      guard let seconds = Double(value), seconds >= 0.001, seconds <= 86_400 else {
        argumentError = .usage("--timeout must be from 0.001 to 86400 seconds")
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
    guard word.scheme == nil else { return urls.append(encoded(word)) }
    let bytes = originalBytes(of: word)
    guard let real = bytes.withUnsafeBufferPointer({ $0.baseAddress.flatMap { realpath($0, nil) } }) else {
      argumentError = .missingFile(word)
      return
    }
    defer { free(real) }
    var path = "file://"
    for byte in UnsafeBufferPointer(start: real, count: strlen(real)).map({ UInt8(bitPattern: $0) }) {
      let isPlain = byte.isLetter || byte.isDigit || "/-._~".utf8.contains(byte)
      path += isPlain ? String(UnicodeScalar(byte)) : Self.encoded(byte)
    }
    urls.append(path)
  }

  /// Returns an argument as a URL: as browsers do, what is not ASCII is encoded unless the argument is UTF-8.
  private mutating func encoded(_ word: String) -> String {
    guard word.unicodeScalars.contains("\u{FFFD}") else { return word }
    let bytes = originalBytes(of: word).dropLast().map { UInt8(bitPattern: $0) }
    guard String(validating: bytes, as: UTF8.self) == nil else { return word }
    return bytes.map { $0 < 0x80 ? String(UnicodeScalar($0)) : Self.encoded($0) }.joined()
  }

  private static func encoded(_ byte: UInt8) -> String {
    (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
  }

  /// Returns the bytes of an argument, and a terminating zero; Swift repairs arguments that are not UTF-8.
  ///
  /// Several of them may be repaired to the same text, so that each is searched after the one before.
  private mutating func originalBytes(of word: String) -> [CChar] {
    let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    for index in arguments.indices.dropFirst(readArguments) {
      guard let argument = arguments[index], String(cString: argument) == word else { continue }
      readArguments = index + 1
      return Array(UnsafeBufferPointer(start: argument, count: strlen(argument) + 1))
    }
    return Array(word.utf8CString)
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
