import Freedesktop

/// What `xdg-open` cannot do with an Exec line on desktops that it does not know, though the line is right.
///
/// It matters where the application is the default itself; through Usher any line works.
enum XDGOpenLimit: Hashable {
  /// The program stands in quotes.
  case quotedProgram(String)
  /// The code for the URL is only a part of its argument.
  case embeddedURL

  /// The limits that an Exec line meets.
  static func of(_ exec: String, _ line: ExecLine) -> [XDGOpenLimit] {
    var limits: [XDGOpenLimit] = []
    if exec.hasPrefix("\""), let program = line.program { limits.append(.quotedProgram(program)) }
    let isEmbedded = line.arguments.contains { $0.pieces.count > 1 && $0.pieces.contains(.code(.url)) }
    if isEmbedded { limits.append(.embeddedURL) }
    return limits
  }

  /// The limit as a person reads it.
  var sentence: String {
    switch self {
    case .quotedProgram(let program):
      "its program is quoted (\(program)), which xdg-open does not understand on desktops unknown to it"
    case .embeddedURL:
      "its URL is only a part of an argument, which xdg-open does not fill in on desktops unknown to it"
    }
  }
}
