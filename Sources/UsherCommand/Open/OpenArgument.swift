// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Freedesktop
import Glibc
import Launching
import RouteTables

/// An argument to open: a URL, or the path of a file.
struct OpenArgument: ExpressibleByArgument, Equatable {
  private let bytes: [UInt8]

  static var defaultCompletionKind: CompletionKind { .file() }

  init(argument: String) {
    // Swift repairs arguments that are not UTF-8; the original bytes are read from the process.
    bytes = argument.unicodeScalars.contains("\u{FFFD}") ? Self.original(of: argument) : Array(argument.utf8)
  }

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The length of the argument in bytes.
  var count: Int { bytes.count }

  /// The argument as text for display.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The scheme before the first colon; `nil` if there is none.
  var scheme: URLScheme? { URLScheme(of: text) }

  /// Returns the URL, corrected as browsers do, or the `file:` URL of a path.
  ///
  /// A path has no scheme, and exists or contains a `/`. With `allowsAnyPath`, an existing file is a path even if its
  /// name begins with a scheme, unless an application or a desktop knows the scheme. A link of a known scheme must not
  /// open a file because the working directory contains one of that name; a user writes `./` before such a name.
  func url(allowsAnyPath: Bool) throws(URLString.Invalid) -> URLString {
    try corrected(allowsAnyPath: allowsAnyPath).url
  }

  /// Returns the result of `url(allowsAnyPath:)` with the corrections.
  func corrected(allowsAnyPath: Bool) throws(URLString.Invalid) -> CorrectedURL {
    let scheme = scheme
    let isPath =
      if let scheme {
        allowsAnyPath && exists && !Self.isKnown(scheme)
      } else {
        exists || bytes.contains(UInt8(ascii: "/")) && !bytes.contains(0)
      }
    guard isPath, let path = absolutePath else { return try CorrectedURL(bytes: bytes) }
    return try CorrectedURL(FileURL.url(ofPath: path))
  }

  /// Returns the message for the user about an argument that is not a URL.
  func diagnostic(_ reason: URLString.Invalid) -> String {
    let text = String(decoding: bytes.prefix(Self.shown), as: UTF8.self)
    let shown = "“\(text)\(bytes.count > Self.shown ? "…" : "")”"
    return switch reason {
    case .empty: "there is nothing to open: the argument is empty"
    case .noScheme:
      "\(shown) cannot be opened: it is neither an existing file nor a URL; a URL begins with a scheme and a colon, "
        + "such as https: or notes:"
    default: "\(shown) cannot be opened: \(reason)"
    }
  }

  /// A hint for a relative path that does not exist and may be a URL without its scheme; `nil` otherwise.
  var hintOfMissingScheme: String? {
    guard bytes.count <= Self.shown, let first = bytes.first, !"/.~".utf8.contains(first),
      URLScheme(of: text) == nil, bytes.contains(UInt8(ascii: "/")), !exists
    else { return nil }
    return "a link begins with a scheme and a colon; for example: notes:\(text)"
  }

  private static let shown = 200

  /// Returns `true` if links of this scheme are opened or rejected on every desktop, or on this one.
  private static func isKnown(_ scheme: URLScheme) -> Bool {
    guard scheme.refusal == nil, scheme.rawValue != "file" else { return true }
    let environment = LaunchEnvironment.current()
    let resolver = ApplicationResolver(
      directories: BaseDirectories(environment: environment),
      programs: ProgramSearch(path: environment["PATH"]), isForOneAnswer: true)
    return resolver.resolve(scheme).application != nil
  }

  private var exists: Bool {
    guard !bytes.isEmpty else { return false }
    var status = stat()
    return (bytes + [0]).withUnsafeBytes { text in
      text.baseAddress.map { lstat($0.assumingMemoryBound(to: CChar.self), &status) } == 0
    }
  }

  /// The absolute path, without empty and `.` segments; `..` remains, because its meaning depends on symbolic links.
  ///
  /// `nil` for a relative path if the working directory was removed.
  private var absolutePath: [UInt8]? {
    let slash = UInt8(ascii: "/")
    guard let start = bytes.first == slash ? [] : Self.workingDirectory else { return nil }
    let whole = start + [slash] + bytes
    if whole.split(separator: slash).contains(Array("..".utf8)[...]), let real = Self.realPath(whole) {
      return real
    }
    let segments = whole.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
    let path = segments.flatMap { [slash] + $0 }
    return path.isEmpty || bytes.last == slash ? path + [slash] : path
  }

  private static var workingDirectory: [UInt8]? { take(getcwd(nil, 0)) }

  private static func realPath(_ path: [UInt8]) -> [UInt8]? {
    (path + [0]).withUnsafeBytes { bytes in
      bytes.baseAddress.flatMap { take(realpath($0.assumingMemoryBound(to: CChar.self), nil)) }
    }
  }

  private static func take(_ text: UnsafeMutablePointer<CChar>?) -> [UInt8]? {
    guard let text else { return nil }
    defer { free(text) }
    return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  /// Returns the original bytes of an argument that Swift repaired.
  static func original(of argument: String) -> [UInt8] {
    commandLine.first { repaired($0) == Array(argument.utf8) } ?? Array(argument.utf8)
  }

  /// Returns the arguments of a list with their original bytes.
  ///
  /// Several arguments that are not UTF-8 may be repaired to the same text. The nth of them is the nth in the command line, which is read
  /// only for them.
  static func originals(
    of arguments: [OpenArgument], in commandLine: @autoclosure () -> [[UInt8]] = commandLine
  ) -> [OpenArgument] {
    guard arguments.contains(where: \.mayBeRepaired) else { return arguments }
    var originals = Dictionary(grouping: commandLine(), by: repaired).mapValues { $0[...] }
    return arguments.map { argument in
      guard argument.mayBeRepaired, let next = originals[repaired(argument.bytes)]?.popFirst() else {
        return argument
      }
      return OpenArgument(bytes: next)
    }
  }

  /// Returns the arguments of a command and the value of its option `--fallback`, with their original bytes.
  static func originals(
    of arguments: [OpenArgument], fallback: OpenArgument?,
    in commandLine: @autoclosure () -> [[UInt8]] = commandLine
  ) -> (arguments: [OpenArgument], fallback: OpenArgument?) {
    guard let fallback, (arguments + [fallback]).contains(where: \.mayBeRepaired) else {
      return (originals(of: arguments, in: commandLine()), fallback)
    }
    let (others, values) = separated(commandLine(), by: "--fallback")
    // The last value counts.
    let value = originals(of: [fallback], in: Array(values.suffix(1))).first
    return (originals(of: arguments, in: others), value)
  }

  /// Returns a command line without an option, and the values of the option, in order.
  private static func separated(
    _ commandLine: [[UInt8]], by option: String
  ) -> (others: [[UInt8]], values: [[UInt8]]) {
    let prefix = Array("\(option)=".utf8)
    var (others, values, rest): ([[UInt8]], [[UInt8]], _) = ([], [], commandLine[...])
    while let next = rest.popFirst() {
      if next.elementsEqual("--".utf8) { return (others + rest, values) }
      if next.elementsEqual(option.utf8) {
        if let value = rest.popFirst() { values.append(value) }
      } else if next.starts(with: prefix) {
        values.append(Array(next.dropFirst(prefix.count)))
      } else {
        others.append(next)
      }
    }
    return (others, values)
  }

  /// Indicates whether its text has the character with which Swift replaces what is not UTF-8.
  private var mayBeRepaired: Bool { text.unicodeScalars.contains("\u{FFFD}") }

  /// The arguments of this process.
  private static var commandLine: [[UInt8]] {
    guard case .bytes(let line) = LocalFiles().read("/proc/self/cmdline") else { return [] }
    return line.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
  }

  /// Returns the bytes of an argument as Swift repairs them.
  private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    Array(String(decoding: bytes, as: UTF8.self).utf8)
  }
}
