import Freedesktop

extension ExecLine.Warning {
  /// The warning as text for the user.
  var sentence: String {
    switch self {
    case .noURLCode: "its Exec line takes no URL (%u is missing); Usher adds it at the end, GIO loses it"
    case .localFilesOnly:
      "its Exec line takes local files only (%f); Usher gives it the URL there, GIO loses it"
    case .codeInQuotes:
      "a field code stands inside quotes in its Exec line; other launchers may not replace it"
    case .severalURLCodes: "its Exec line has several codes for the URL; the first one gets it"
    case .listCodeInsideArgument: "%U or %F is only a part of an argument of its Exec line"
    case .deprecatedCode(let code): "%\(code) in its Exec line is deprecated and left out"
    case .unknownCode(let code):
      "%\(code) in its Exec line is no field code and left out; a percent sign is written %%"
    case .strayPercent: "its Exec line ends with a single %, which should be %%"
    case .unquoted(let character): "\(character) should be quoted in its Exec line"
    case .quoteInsideArgument: "a quote begins or ends inside an argument of its Exec line"
    }
  }
}
