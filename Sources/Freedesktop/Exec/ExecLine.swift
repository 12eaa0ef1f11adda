// SPDX-License-Identifier: Apache-2.0
/// The parsed Exec line of a desktop entry: arguments with field codes in them.
///
/// It is parsed in the order of the specification: string escapes are undone before (by `DesktopEntry.exec`), then
/// the line is split at blanks and quotes are undone, then field codes are found in each argument. The line is never
/// passed to a shell, and inserted values are not parsed again. If it runs a shell, a value in its code is quoted, or the
/// line is not run.
///
/// ```swift
/// let line = try ExecLine(#"viewer --url=%u "--title=My Notes""#)
/// try line.expand(["notes:/7"])   // [["viewer", "--url=notes:/7", "--title=My Notes"]]
/// ```
///
/// Constructs whose meaning the specification leaves undefined (quotes inside an argument, `'`, `\`) are parsed as in
/// GLib and KDE, and `warnings` reports them. Desktop Entry Specification, "The Exec key".
public struct ExecLine: Hashable, Sendable {
  /// The arguments, starting with the program; never empty.
  public let arguments: [Argument]

  /// A part of the command line that becomes one argument of the program, or several for `%U` and `%F`.
  public struct Argument: Hashable, Sendable {
    /// Literal text and field codes, in order.
    public let pieces: [Piece]

    /// The argument as text; `nil` if it contains a field code.
    var text: String? {
      if case .text(let text)? = pieces.first, pieces.count == 1 { text } else { nil }
    }
  }

  /// A part of an argument.
  public enum Piece: Hashable, Sendable {
    /// Literal text.
    case text(String)
    /// A placeholder for a value.
    case code(FieldCode)
  }

  /// A field code.
  public enum FieldCode: Character, Sendable {
    /// `%u`: one URL.
    case url = "u"
    /// `%U`: all URLs, each an argument.
    case urls = "U"
    /// `%f`: one local path.
    case file = "f"
    /// `%F`: all local paths, each an argument.
    case files = "F"
    /// `%i`: `--icon` and the entry's icon.
    case icon = "i"
    /// `%c`: the entry's name, which GIO translates.
    case name = "c"
    /// `%k`: the path of the entry's file.
    case location = "k"

    var takesURLs: Bool { self == .url || self == .urls || self == .file || self == .files }
    var takesAll: Bool { self == .urls || self == .files }
  }

  /// A construct that works here and may not work with another launcher.
  public enum Warning: Hashable, Sendable {
    /// No code accepts the URL; it is appended as the last argument. GIO drops it.
    case noURLCode
    /// Only a code for local files could accept the URL; it is inserted there. GIO drops it.
    case localFilesOnly
    /// A code is inside quotes, so that its meaning is undefined; it is expanded.
    case codeInQuotes
    /// More than one code accepts the URL; it is inserted at the first.
    case severalURLCodes
    /// `%U` or `%F` is only a part of its argument.
    case listCodeInsideArgument
    /// A deprecated code, which is dropped.
    case deprecatedCode(Character)
    /// A code that no specification defines; it is dropped, as GIO drops it.
    case unknownCode(Character)
    /// A `%` at the end of the line or word; it is passed on literally.
    case strayPercent
    /// A character that must be quoted and is not; quotes and `\` have their meaning in a shell, others are literal.
    case unquoted(Character)
    /// A quote begins or ends inside an argument.
    case quoteInsideArgument
    /// The URL is a part of code that this interpreter runs.
    case valueInCode(program: String)
  }

  /// Parses `line`, whose string escapes are already undone.
  ///
  /// - Throws: `FreedesktopError.invalidExec` if a quote is not closed, if there is no program, or if there are more than 65,536
  ///   bytes or 1,024 arguments.
  public init(_ line: String) throws(FreedesktopError) {
    guard line.utf8.count <= Self.maximumLength else {
      throw .invalidExec(
        line, reason: "it has \(line.utf8.count) bytes; the limit is \(Self.maximumLength)")
    }
    var reader = ExecLineReader(line: line)
    arguments = try reader.arguments()
    guard arguments.count <= Self.maximumArguments else {
      throw .invalidExec(
        line, reason: "it has \(arguments.count) arguments; the limit is \(Self.maximumArguments)")
    }
    readingWarnings = reader.warnings
  }

  /// The maximum number of bytes, all of which may be code that is scanned for each URL.
  private static let maximumLength = 65_536
  /// The maximum number of arguments, each of which may be a program that interprets all further ones.
  private static let maximumArguments = 1_024

  private let readingWarnings: [Warning]
  /// Deviations from the specification and how each is interpreted, and whether the URL is a part of code.
  public var warnings: [Warning] {
    readingWarnings + [interpreterOfURL.map { .valueInCode(program: $0) }].compactMap(\.self)
  }

  /// The program to run; `nil` if the first argument contains a field code, which it never should.
  public var program: String? { arguments.first?.text }

  /// Returns the warnings of a line that is to be registered.
  ///
  /// - Throws: `FreedesktopError.invalidExec` if a code is unknown: an installed line with one is run as GIO runs it,
  ///   but it is not registered as a default.
  public func warningsOfRegistering(_ line: String) throws(FreedesktopError) -> [Warning] {
    for case .unknownCode(let code) in warnings {
      throw .invalidExec(line, reason: "%\(code) is not a field code; write a percent sign as %%")
    }
    return warnings
  }

  var urlCodes: [FieldCode] {
    arguments.flatMap(\.pieces).compactMap { piece in
      if case .code(let code) = piece, code.takesURLs { code } else { nil }
    }
  }
}
