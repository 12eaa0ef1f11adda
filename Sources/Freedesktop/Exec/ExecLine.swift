/// The Exec line of a desktop entry, taken apart: arguments with field codes in them.
///
/// It is read in the order that the specification gives: string escapes are undone before (by
/// `DesktopEntry.exec`), then the line is split at blanks and quotes are undone, then field codes are found
/// in each argument. Nothing ever goes through a shell, and nothing that is put in is read again.
///
/// ```swift
/// let line = try ExecLine(#"viewer --url=%u "--title=My Notes""#)
/// line.expand(["notes:/7"])   // [["viewer", "--url=notes:/7", "--title=My Notes"]]
/// ```
///
/// What the specification leaves undefined is read as GLib and KDE do (quotes inside of an argument, `'`,
/// `\`), and named in `warnings`. Desktop Entry Specification, "The Exec key".
public struct ExecLine: Hashable, Sendable {
  /// The arguments, the program first; never empty.
  public let arguments: [Argument]
  /// What in the line is not as the specification wants it, and how it is understood.
  public let warnings: [Warning]

  /// A piece of the command line that arrives at the program as one argument, or as several for `%U` and `%F`.
  public struct Argument: Hashable, Sendable {
    /// Literal text and field codes, in order.
    public let pieces: [Piece]
  }

  /// A part of an argument.
  public enum Piece: Hashable, Sendable {
    /// Text that arrives as it stands here.
    case text(String)
    /// Something to be put in.
    case code(FieldCode)
  }

  /// What can be put in.
  public enum FieldCode: Character, Sendable {
    /// One URL.
    case url = "u"
    /// All URLs, each an argument.
    case urls = "U"
    /// One local path.
    case file = "f"
    /// All local paths, each an argument.
    case files = "F"
    /// `--icon` and the entry's icon.
    case icon = "i"
    /// The entry's name, translated.
    case name = "c"
    /// Where the entry's file is.
    case location = "k"

    var takesURLs: Bool { self == .url || self == .urls || self == .file || self == .files }
    var takesAll: Bool { self == .urls || self == .files }
  }

  /// Something that works here and may not work with another launcher.
  public enum Warning: Hashable, Sendable {
    /// No code takes the URL; it is put behind the last argument. GIO loses it.
    case noURLCode
    /// Only a code for local files takes the URL; it is put there. GIO loses it.
    case localFilesOnly
    /// A code stands inside quotes, which leaves its meaning undefined; it is expanded.
    case codeInQuotes
    /// More than one code takes the URL; the first of them gets it.
    case severalURLCodes
    /// `%U` or `%F` is only a part of its argument.
    case listCodeInsideArgument
    /// A deprecated code, which is dropped.
    case deprecatedCode(Character)
    /// A code that no specification knows; it is dropped, as GIO drops it.
    case unknownCode(Character)
    /// A `%` with nothing behind it; it is taken as it stands.
    case strayPercent
    /// A character that must be quoted is not; it is taken as a shell takes it for quoting, else as it is.
    case unquoted(Character)
    /// A quote begins or ends inside an argument.
    case quoteInsideArgument
  }

  /// Reads `line`, whose string escapes are undone already.
  ///
  /// - Throws: `FreedesktopError.invalidExec` where a quote does not end, or there is no program.
  public init(_ line: String) throws(FreedesktopError) {
    var reader = ExecLineReader(line: line)
    arguments = try reader.arguments()
    warnings = reader.warnings
  }

  /// The program to run, when it is plain text, which it always should be.
  public var program: String? {
    arguments.first.flatMap { argument in
      if case .text(let text)? = argument.pieces.first, argument.pieces.count == 1 { text } else { nil }
    }
  }

  /// The warnings of a line that is to be registered.
  ///
  /// - Throws: `FreedesktopError.invalidExec` where a code is unknown: what others wrote is run as GIO runs it, and
  ///   made nobody's default.
  public func warningsOfRegistering(_ line: String) throws(FreedesktopError) -> [Warning] {
    for case .unknownCode(let code) in warnings {
      throw .invalidExec(line, reason: "%\(code) is not a field code; a percent sign is written %%")
    }
    return warnings
  }

  var urlCodes: [FieldCode] {
    arguments.flatMap(\.pieces).compactMap { piece in
      if case .code(let code) = piece, code.takesURLs { code } else { nil }
    }
  }
}
