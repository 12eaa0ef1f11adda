import Freedesktop

/// A real program of the desktop that says what it would open something with.
struct OtherOpener {
  /// The command that a person would type, without what it is asked about.
  let command: [String]
  /// What it goes by, for the person who wonders why it answers otherwise.
  let reason: String
  private let read: @Sendable (String) -> String?

  /// The name of the entry in what it printed; `nil` where it names none.
  func answer(in output: String) -> String? { read(output) }

  /// GIO: GTK programs, GNOME's and most file managers.
  static let gio = OtherOpener(
    command: ["gio", "mime"],
    reason: "programs that use GIO (GNOME, most file managers) go by the desktop's lists alone"
  ) { output in
    // Default application for “x-scheme-handler/notes”: org.example.Notes.desktop
    let line = output.split(separator: "\n").first { $0.hasPrefix("Default application for") }
    return line.flatMap { $0.split(separator: " ").last.map(String.init) }
  }

  /// Where `xdg-open` looks on a desktop that it does not know.
  static let xdgMime = OtherOpener(
    command: ["xdg-mime", "query", "default"],
    reason:
      "xdg-open goes by it on a desktop that it does not know: it takes only the first name of a line, keeps the "
      + "scheme as it is written, and reads neither [Added Associations] nor "
      + "[Removed Associations], and asks for no type that this one is a kind of"
  ) { output in output.split(separator: "\n").first.map(String.init) }

  /// KDE: its programs, and `xdg-open` in a KDE session.
  static let kde = OtherOpener(
    command: ["ktraderclient5", "--servicetype", "Application", "--mimetype"],
    reason:
      "KDE's programs, and xdg-open under KDE, go by KDE's own cache of entries; kbuildsycoca5 renews it"
  ) { output in
    for line in output.split(separator: "\n") {
      // DesktopEntryPath : '/usr/share/applications/org.kde.kate.desktop', or the path alone
      let isPath = line.hasPrefix("DesktopEntryPath : ") || line.hasSuffix(".desktop")
      let path = line.split(separator: "'").last { $0.hasSuffix(".desktop") }
      if isPath, let name = path?.split(separator: "/").last { return String(name) }
    }
    return nil
  }

  /// KDE's idea of a file's type.
  static let kdeType = OtherOpener(
    command: ["kmimetypefinder5"],
    reason: "KDE's programs, and xdg-open under KDE, take the file for another type"
  ) { output in output.split(separator: "\n").first { $0.contains("/") }.map(String.init) }
}
