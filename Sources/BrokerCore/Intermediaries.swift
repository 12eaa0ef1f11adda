// SPDX-License-Identifier: Apache-2.0
import Freedesktop

extension SourceApplication {
  /// Returns whether `id` belongs to an intermediary, which opens URLs for other applications.
  static func isIntermediary(_ id: ApplicationID) -> Bool {
    [.usherHandler, .usherCallback].contains(id) || id.isOfOtherMachine
      || id.rawValue.hasPrefix("org.freedesktop.impl.portal.")
      || ["org.usher.Broker1", "org.freedesktop.portal.Desktop", "xdg-desktop-portal"].contains(id.rawValue)
  }

  private static let portal = ApplicationID("org.freedesktop.portal.Desktop" as String)

  /// Returns the intermediary that a unit belongs to; `nil` for other units.
  ///
  /// Examples are `xdg-desktop-portal.service`, `xdg-desktop-portal-gtk.service`, and
  /// `dbus-:1.2-org.freedesktop.portal.Desktop@0.service`, which the bus starts if there is no such unit.
  static func middleman(ofUnit unit: String) -> ApplicationID? {
    guard unit.hasSuffix(".service") else { return nil }
    let isPortal =
      unit.hasPrefix("xdg-desktop-portal.") || unit.hasPrefix("xdg-desktop-portal-")
      || (unit.hasPrefix("dbus-") && unit.contains("-org.freedesktop.portal.Desktop@"))
      || (unit.hasPrefix("dbus-") && unit.contains("-org.freedesktop.impl.portal."))
    return isPortal ? portal : nil
  }

  /// Returns the intermediary whose program is at `path`; `nil` for other programs.
  static func middleman(ofProgram path: String) -> ApplicationID? {
    let name = CallerCredentials.Program.name(ofPath: path)
    return name == "xdg-desktop-portal" || name.utf8.starts(with: "xdg-desktop-portal-".utf8) ? portal : nil
  }

  /// Returns whether the program at `path` is an interpreter, or opens URLs for other programs.
  static func isGenericLauncher(_ path: String) -> Bool {
    let name = CallerCredentials.Program.name(ofPath: path)
    if carriers.contains(name) || interpreters.contains(name)
      || name.utf8.starts(with: "xdg-desktop-portal-".utf8)
    {
      return true
    }
    guard name.utf8.contains(where: { $0 >= 0x80 || (0x30...0x39).contains($0) }) else { return false }
    // Interpreters have versions in their names, such as python3.11, lua-5.4 and node-20.
    var stem = name.prefix { !$0.isNumber }
    while let last = stem.last, "-_.".contains(last) { stem.removeLast() }
    return interpreters.contains(String(stem))
  }

  private static let carriers: Set<String> = [
    "usher", "usher-command", "usherd", "xdg-open", "gio", "gio-launch-desktop", "gvfs-open", "exo-open",
    "kde-open", "kde-open5", "kioclient", "kioclient5", "busctl", "gdbus", "dbus-send", "xdg-desktop-portal",
    "env", "systemd-run", "flatpak", "snap", "bwrap", "xdg-dbus-proxy",
  ]
  private static let interpreters: Set<String> = [
    "sh", "bash", "bash-static", "rbash", "dash", "ash", "zsh", "fish", "ksh", "lksh", "mksh", "yash", "csh",
    "bsd-csh",
    "tcsh", "nu", "pwsh", "busybox", "toybox", "python", "pypy", "perl", "ruby", "ruby-mri", "node", "nodejs",
    "deno", "bun", "java", "lua", "luajit", "gjs", "gjs-console", "qml", "qmlscene", "mono", "mono-sgen",
    "dotnet", "wine", "wine-preloader", "electron", "tclsh", "wish", "guile", "php", "R", "Rscript", "julia",
    "love",
    "box64", "box86", "beam.smp", "dart", "racket", "sbcl", "swipl", "octave", "octave-cli", "expect",
    "osascript", "mksh-static", "oksh", "posh", "raku", "moar", "gawk", "mawk",
  ]
}
