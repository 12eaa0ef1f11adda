// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import TestSupport

/// A reason for which `gio open` loses or changes a link that Usher does not; `docs/resolution.md` lists all.
enum GIODifference {
  /// The Exec line has no field code for the link.
  case noCode
  /// The only field code is one for local files.
  case filesOnly
  /// An older field code for files precedes the one for links, and consumes the link.
  case fileCodeFirst
  /// The field code is quoted, and GIO adds its own quotes inside.
  case quotedCode
  /// A word begins with `#`; GIO treats the rest as a comment.
  case comment

  /// Returns the reasons that apply to an Exec line.
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
  /// Returns `true` if no argument of `whole` with the URL arrived, although the program is the same.
  static func hasLost(_ url: String, _ start: ViewerStart?, of whole: ViewerStart) -> Bool {
    guard let start else { return true }
    let holding = whole.arguments.filter { String(decoding: $0, as: UTF8.self).contains(url) }
    return start.entry == whole.entry && start.directory == whole.directory && start.program == whole.program
      && !holding.isEmpty && !holding.contains(where: start.arguments.contains)
  }
}
