// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// A limit of `xdg-open` on desktops that it does not know, which a correct Exec line can exceed.
///
/// It matters if the application is the default itself; any line works through Usher.
enum XDGOpenLimit: Hashable {
  /// The program is quoted.
  case quotedProgram(String)
  /// The field code for the URL is only a part of its argument.
  case embeddedURL

  /// Returns the limits that an Exec line exceeds.
  static func of(_ exec: String, _ line: ExecLine) -> [XDGOpenLimit] {
    var limits: [XDGOpenLimit] = []
    if exec.hasPrefix("\""), let program = line.program { limits.append(.quotedProgram(program)) }
    let isEmbedded = line.arguments.contains { $0.pieces.count > 1 && $0.pieces.contains(.code(.url)) }
    if isEmbedded { limits.append(.embeddedURL) }
    return limits
  }

  /// The limit as text for the user.
  var sentence: String {
    switch self {
    case .quotedProgram(let program):
      "its program is quoted (\(program)), which xdg-open cannot parse on desktops that it does not know"
    case .embeddedURL:
      "its URL is only a part of an argument, which xdg-open does not replace on desktops that it does not know"
    }
  }
}
