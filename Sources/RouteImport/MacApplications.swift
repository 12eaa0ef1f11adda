// SPDX-License-Identifier: Apache-2.0

/// The applications of macOS for whose links `usher web catalog` has a file.
enum MacApplications {
  /// The names of the files, by bundle identifier and by name.
  private static let files: [String: String] = [
    "com.hnc.Discord": "discord", "Discord": "discord",
    "im.riot.app": "matrix", "Element": "matrix",
    "org.whispersystems.signal-desktop": "signal", "Signal": "signal",
    "com.tinyspeck.slackmacgap": "slack", "Slack": "slack",
    "com.spotify.client": "spotify", "Spotify": "spotify",
    "com.valvesoftware.steam": "steam", "Steam": "steam",
    "com.microsoft.teams2": "teams", "com.microsoft.teams": "teams", "Microsoft Teams": "teams",
    "ru.keepcoder.Telegram": "telegram", "com.tdesktop.Telegram": "telegram",
    "org.telegram.desktop": "telegram",
    "Telegram": "telegram", "Telegram Desktop": "telegram",
    "com.microsoft.VSCode": "vscode", "Visual Studio Code": "vscode",
    "us.zoom.xos": "zoom", "zoom.us": "zoom", "Zoom": "zoom",
  ]

  /// Returns the name of the file for an application, by its name, bundle identifier or path on macOS.
  static func catalogFile(for application: String) -> String? {
    files.value(forMacApplication: application)
  }
}

extension [String: String] {
  /// Returns the value of an application of macOS, given by its name, bundle identifier or path; `nil` if it has none.
  func value(forMacApplication application: String) -> String? {
    if let value = self[application] { return value }
    guard application.hasSuffix(".app") else { return nil }
    return application.split(separator: "/").last.flatMap { self[String($0.dropLast(4))] }
  }
}
