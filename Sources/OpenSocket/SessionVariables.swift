// SPDX-License-Identifier: Apache-2.0
/// The environment variables of a caller's session that accompany its request.
///
/// The started application opens its window where the caller is, and speaks the caller's language. The list is complete
/// (decision 52): no other variable of the caller reaches another program.
public enum SessionVariables {
  /// The name of the option that carries them, whose keys are the names of the variables.
  public static let option = "session"
  /// The variables that name a display.
  public static let displays = ["WAYLAND_DISPLAY", "DISPLAY"]
  /// The variables that belong to the display: its authority, and the session and desktop that it shows.
  public static let desktop = [
    "XAUTHORITY", "XDG_SESSION_TYPE", "XDG_SESSION_CLASS", "XDG_SESSION_DESKTOP", "XDG_SESSION_ID",
    "XDG_SEAT", "XDG_VTNR", "XDG_CURRENT_DESKTOP", "DESKTOP_SESSION", "KDE_FULL_SESSION",
    "KDE_SESSION_VERSION",
  ]
  /// The variable whose names choose lists of default applications (Desktop Entry Specification, "Recognized desktop entry keys").
  public static let currentDesktop = "XDG_CURRENT_DESKTOP"
  /// The variables of the locale (locale(7), and gettext's list of languages).
  public static let locale = [
    "LANG", "LANGUAGE", "LC_ALL", "LC_ADDRESS", "LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION",
    "LC_MEASUREMENT", "LC_MESSAGES", "LC_MONETARY", "LC_NAME", "LC_NUMERIC", "LC_PAPER", "LC_TELEPHONE",
    "LC_TIME",
  ]
  /// The maximum size of a value in bytes.
  public static let maximumValue = 1_024

  /// Returns the variables of this list that have a usable value.
  ///
  /// - Parameter variable: Returns the value of an environment variable.
  public static func values(_ variable: (String) -> String?) -> [String: String] {
    var values: [String: String] = [:]
    for name in displays + desktop {
      if let value = variable(name), isUsable(value) { values[name] = value }
    }
    for name in locale {
      // Libraries would take a locale with a slash for a path.
      if let value = variable(name), isUsable(value), !value.utf8.contains(UInt8(ascii: "/")) {
        values[name] = value
      }
    }
    return values
  }

  private static func isUsable(_ value: String) -> Bool {
    !value.isEmpty && value.utf8.count <= maximumValue
      && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
