// SPDX-License-Identifier: Apache-2.0
package import BrokerCore

/// The names under which browsers are installed.
///
/// The sources are the packages of Debian, Fedora and Arch and of the browsers' vendors, Flathub and the Snap Store.
extension BrowserFamily {
  /// Returns the family of a program, such as `firefox-esr`, and the name of its data directory; `nil` for other programs.
  package init?(program: String) {
    guard let family = Self.programs[program] else { return nil }
    self = family
  }

  /// Returns the family of a Flatpak application; `nil` for other applications.
  package init?(flatpak id: String) {
    guard let family = Self.flatpaks[id] else { return nil }
    self = family
  }

  private static let programs: [String: BrowserFamily] = table([
    .firefox: [
      "firefox", "firefox-bin", "firefox-esr", "firefox-beta", "firefox-nightly", "firefox-devedition",
      "firefox-developer-edition", "firefox-trunk",
    ],
    .librewolf: ["librewolf", "librewolf-bin"],
    .waterfox: ["waterfox", "waterfox-bin"],
    .floorp: ["floorp", "floorp-bin"],
    .zen: ["zen", "zen-bin", "zen-browser", "zen-twilight"],
    .chromium: ["chromium", "chromium-browser", "chromium-freeworld", "ungoogled-chromium"],
    .chrome: [
      "google-chrome", "google-chrome-stable", "google-chrome-beta", "google-chrome-unstable",
      "google-chrome-canary",
    ],
    .brave: [
      "brave", "brave-browser", "brave-browser-stable", "brave-browser-beta", "brave-browser-nightly",
    ],
    .vivaldi: ["vivaldi", "vivaldi-stable", "vivaldi-snapshot"],
    .edge: ["microsoft-edge", "microsoft-edge-stable", "microsoft-edge-beta", "microsoft-edge-dev"],
    .opera: ["opera", "opera-stable", "opera-beta", "opera-developer"],
    .epiphany: ["epiphany", "epiphany-browser"],
    .falkon: ["falkon"],
  ])

  private static let flatpaks: [String: BrowserFamily] = table([
    .firefox: ["org.mozilla.firefox", "org.mozilla.FirefoxNightly", "org.mozilla.FirefoxDevEdition"],
    .librewolf: ["io.gitlab.librewolf-community"],
    .waterfox: ["net.waterfox.waterfox"],
    .floorp: ["one.ablaze.floorp"],
    .zen: ["app.zen_browser.zen", "io.github.zen_browser.zen"],
    .chromium: ["org.chromium.Chromium", "io.github.ungoogled_software.ungoogled_chromium"],
    .chrome: ["com.google.Chrome", "com.google.ChromeDev"],
    .brave: ["com.brave.Browser"],
    .vivaldi: ["com.vivaldi.Vivaldi"],
    .edge: ["com.microsoft.Edge", "com.microsoft.EdgeDev"],
    .opera: ["com.opera.Opera"],
    .epiphany: ["org.gnome.Epiphany"],
    .falkon: ["org.kde.falkon"],
  ])

  /// The desktop-file IDs of browsers, which are looked up even if no list names them for web links.
  static let knownIDs: [String] = (Array(programs.keys) + Array(flatpaks.keys) + snaps).sorted()

  /// The IDs that snapd gives: the name of the snap, `_`, and the name of its program.
  private static let snaps = [
    "firefox_firefox", "chromium_chromium", "brave_brave", "opera_opera", "opera-beta_opera-beta",
    "vivaldi_vivaldi", "falkon_falkon", "epiphany_epiphany",
  ]

  private static func table(_ names: [BrowserFamily: [String]]) -> [String: BrowserFamily] {
    var table: [String: BrowserFamily] = [:]
    for (family, names) in names { for name in names { table[name] = family } }
    return table
  }
}

extension BrowserFamily {
  /// Returns the name of the data directory below the directory for configuration, such as `google-chrome-beta`.
  ///
  /// It depends on the release channel. `chrome/common/chrome_paths_linux.cc` of Chromium; the names of the other browsers are
  /// those that their packages create.
  ///
  /// - Parameter name: The name of the program, of the Flatpak application or of the snap.
  func dataDirectory(ofProgram name: String) -> String {
    let channel = ["beta", "nightly", "snapshot", "dev", "developer", "unstable", "canary"].first {
      name.hasSuffix("-" + $0)
    }
    switch self {
    case .chromium: return "chromium"
    case .chrome: return "google-chrome" + (name == "com.google.ChromeDev" ? "-unstable" : suffix(channel))
    case .brave:
      let suffix = channel.map { $0 == "beta" ? "-Beta" : "-Nightly" }
      return "BraveSoftware/Brave-Browser" + (suffix ?? "")
    case .vivaldi: return "vivaldi" + suffix(channel)
    case .edge: return "microsoft-edge" + (name == "com.microsoft.EdgeDev" ? "-dev" : suffix(channel))
    case .opera: return "opera" + suffix(channel)
    case .falkon: return "falkon"
    case .firefox, .librewolf, .waterfox, .floorp, .zen, .epiphany: return name
    }
  }

  private func suffix(_ channel: String?) -> String { channel.map { "-" + $0 } ?? "" }

  /// The directories of Gecko below the home directory, and below the directory for configuration.
  ///
  /// The first is used if it exists; since version 147 a new user gets the second. `GetLegacyOrXDGHomePath` of Firefox
  /// (`toolkit/xre/nsXREDirProvider.cpp`, bug 259356): `.VENDOR/NAME`, then `$XDG_CONFIG_HOME/VENDOR/NAME`, in lower case. A derivative
  /// that names its own directory keeps it.
  var geckoDirectories: (home: String, configuration: String)? {
    switch self {
    case .firefox: (".mozilla/firefox", "mozilla/firefox")
    case .librewolf: (".librewolf", "librewolf/librewolf")
    case .waterfox: (".waterfox", "waterfox")
    case .floorp: (".floorp", "floorp")
    case .zen: (".zen", "zen")
    case .chromium, .chrome, .brave, .vivaldi, .edge, .opera, .epiphany, .falkon: nil
    }
  }
}
