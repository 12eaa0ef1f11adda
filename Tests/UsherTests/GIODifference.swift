import Freedesktop
import TestSupport

/// A reason for which `gio open` loses a link, or spoils it, where we do not; `docs/resolution.md` has them all.
enum GIODifference {
  /// The Exec line has no code that takes the link.
  case noCode
  /// The only code is one for local files.
  case filesOnly
  /// An older code for files stands before the one for links, and takes the link away.
  case fileCodeFirst
  /// The code stands in quotes, and GIO puts its own inside of them.
  case quotedCode
  /// A word begins with `#`; GIO takes what follows for a comment.
  case comment

  /// The reasons that an Exec line gives.
  static func of(_ exec: String?) -> [GIODifference] {
    guard let exec, let line = try? ExecLine(exec) else { return [] }
    return line.warnings.compactMap { warning in
      switch warning {
      case .noURLCode: .noCode
      case .localFilesOnly: .filesOnly
      case .deprecatedCode(let code) where "dDnN".contains(code): .fileCodeFirst
      case .severalURLCodes where exec.contains(#/%[fF].*%[uU]/#): .fileCodeFirst
      case .codeInQuotes: .quotedCode
      case .unquoted("#"): .comment
      default: nil
      }
    }
  }
}

extension ViewerStart {
  /// Whether none of the arguments in which `whole` has the URL arrived, though the program is the same.
  static func hasLost(_ url: String, _ start: ViewerStart?, of whole: ViewerStart) -> Bool {
    guard let start else { return true }
    let holding = whole.arguments.filter { String(decoding: $0, as: UTF8.self).contains(url) }
    return start.entry == whole.entry && start.directory == whole.directory && start.program == whole.program
      && !holding.isEmpty && !holding.contains(where: start.arguments.contains)
  }
}
