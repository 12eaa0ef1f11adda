import Glibc

/// Whether words are coloured: the one place that decides.
enum Colours {
  /// Whether what goes to this descriptor is coloured.
  static func areWanted(on descriptor: Int32) -> Bool {
    areWanted(isTerminal: isatty(descriptor) == 1) { name in getenv(name).map { String(cString: $0) } }
  }

  /// Colours are for a terminal that has them; `NO_COLOR` takes them away (no-color.org), `CLICOLOR_FORCE` has them
  /// elsewhere too.
  static func areWanted(isTerminal: Bool, _ variable: (String) -> String?) -> Bool {
    func isSet(_ name: String) -> Bool { variable(name).map { !$0.isEmpty } ?? false }
    if isSet("NO_COLOR") { return false }
    if isSet("CLICOLOR_FORCE"), variable("CLICOLOR_FORCE") != "0" { return true }
    return isTerminal && isSet("TERM") && variable("TERM") != "dumb"
  }
}
