// SPDX-License-Identifier: Apache-2.0
import Freedesktop

extension ExecLine.Warning {
  /// The warning as text for the user.
  var sentence: String {
    switch self {
    case .noURLCode:
      "its Exec line lacks %u; Usher appends the URL, but programs that use GIO start the application without it"
    case .localFilesOnly:
      "its Exec line accepts only local files (%f); Usher passes the URL there, but programs that use GIO start the application without it"
    case .codeInQuotes:
      "its Exec line has a field code inside quotes; other launchers may not replace it"
    case .severalURLCodes: "its Exec line has several field codes for the URL; only the first receives it"
    case .listCodeInsideArgument: "%U or %F must be a whole argument of its Exec line"
    case .deprecatedCode(let code): "%\(code) in its Exec line is deprecated and ignored"
    case .unknownCode(let code):
      "%\(code) in its Exec line is not a field code and is ignored; write a percent sign as %%"
    case .strayPercent: "its Exec line ends with a single %; write %%"
    case .unquoted(let character): "\(character) must be quoted in its Exec line"
    case .quoteInsideArgument: "a quote begins or ends inside an argument of its Exec line"
    case .valueInCode(let program):
      "its Exec line inserts the URL into code that \(program) runs, so Usher opens only URLs that cannot be read as code; "
        + ExecLine.safeFormOfCode
    }
  }
}
