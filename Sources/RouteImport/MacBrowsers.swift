// SPDX-License-Identifier: Apache-2.0

/// The browsers that Finicky names, as families of browsers of a route file.
///
/// The names and bundle identifiers are those of Finicky's own list (`browsers.json`) and of the vendors' documentation.
enum MacBrowsers {
  private static let families: [String: String] = [
    "Firefox": "firefox", "org.mozilla.firefox": "firefox",
    "Zen": "zen", "app.zen-browser.zen": "zen",
    "LibreWolf": "librewolf", "io.gitlab.librewolf-community": "librewolf",
    "io.gitlab.librewolf-community.librewolf": "librewolf",
    "Chromium": "chromium", "org.chromium.Chromium": "chromium",
    "Google Chrome": "chrome", "com.google.Chrome": "chrome",
    "Brave Browser": "brave", "com.brave.Browser": "brave",
    "Microsoft Edge": "edge", "com.microsoft.edgemac": "edge",
    "Vivaldi": "vivaldi", "com.vivaldi.Vivaldi": "vivaldi",
    "Opera": "opera", "com.operasoftware.Opera": "opera",
  ]

  /// The names of families that the option `--browser` accepts for a family; any other name is a desktop-file ID.
  static let familyNames: Set<String> = Set(families.values).union([
    "waterfox", "floorp", "epiphany", "falkon",
  ])

  /// Returns the family of a name, a bundle identifier, or the path of an application on macOS.
  static func family(of name: String) -> String? { families.value(forMacApplication: name) }
}
