// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The decision whether output is colored.
enum Colours {
  /// Returns `true` if output to this descriptor is colored.
  static func areWanted(on descriptor: Int32) -> Bool {
    areWanted(isTerminal: isatty(descriptor) == 1, UserEnvironment.variable)
  }

  /// Returns `true` for a terminal with colors, subject to `NO_COLOR` and `CLICOLOR_FORCE`.
  ///
  /// `NO_COLOR` disables colors (no-color.org), and `CLICOLOR_FORCE` enables them for other output, too.
  static func areWanted(isTerminal: Bool, _ variable: (String) -> String?) -> Bool {
    func isSet(_ name: String) -> Bool { variable(name).map { !$0.isEmpty } ?? false }
    if isSet("NO_COLOR") { return false }
    if isSet("CLICOLOR_FORCE"), variable("CLICOLOR_FORCE") != "0" { return true }
    return isTerminal && isSet("TERM") && variable("TERM") != "dumb"
  }
}
