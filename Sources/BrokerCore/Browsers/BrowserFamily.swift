// SPDX-License-Identifier: Apache-2.0
/// A family of browsers that select a profile and a window with the same arguments.
///
/// The arguments are those of the browsers' own documentation and code:
/// - Firefox and its derivatives: `-P NAME`, `--profile DIRECTORY`, `--private-window URL` and `--new-window URL`
///   (`toolkit/xre/nsAppRunner.cpp`, `browser/components/BrowserContentHandler.sys.mjs`). A running instance of the same profile
///   receives the URL, because its bus name is made from the profile's directory (`toolkit/components/remote`).
/// - Chromium and its derivatives: `--profile-directory=DIRECTORY`, `--incognito` and `--new-window`
///   (`chrome/common/chrome_switches.cc`). One process serves all profiles of a data directory.
/// - GNOME Web: `--incognito-mode` and `--new-window` (`epiphany(1)`).
/// - Falkon: `--profile=NAME`, `--private-browsing` and `--new-window` (`falkon(1)`).
public enum BrowserFamily: String, CaseIterable, Sendable {
  /// Firefox.
  case firefox
  /// LibreWolf.
  case librewolf
  /// Waterfox.
  case waterfox
  /// Floorp.
  case floorp
  /// Zen Browser.
  case zen
  /// Chromium.
  case chromium
  /// Google Chrome.
  case chrome
  /// Brave.
  case brave
  /// Vivaldi.
  case vivaldi
  /// Microsoft Edge.
  case edge
  /// Opera.
  case opera
  /// GNOME Web.
  case epiphany
  /// Falkon.
  case falkon

  /// The code base of a browser, which determines its arguments and its files.
  public enum Engine: Sendable {
    /// Mozilla's.
    case gecko
    /// Google's.
    case chromium
    /// GNOME Web's own.
    case epiphany
    /// Falkon's own.
    case falkon
  }

  /// The code base.
  public var engine: Engine {
    switch self {
    case .firefox, .librewolf, .waterfox, .floorp, .zen: .gecko
    case .chromium, .chrome, .brave, .vivaldi, .edge, .opera: .chromium
    case .epiphany: .epiphany
    case .falkon: .falkon
    }
  }

  /// The name in route files, such as `firefox`.
  public var name: String { rawValue }

  /// The name for messages and titles, such as `Firefox`.
  public var title: String {
    switch self {
    case .firefox: "Firefox"
    case .librewolf: "LibreWolf"
    case .waterfox: "Waterfox"
    case .floorp: "Floorp"
    case .zen: "Zen"
    case .chromium: "Chromium"
    case .chrome: "Chrome"
    case .brave: "Brave"
    case .vivaldi: "Vivaldi"
    case .edge: "Edge"
    case .opera: "Opera"
    case .epiphany: "GNOME Web"
    case .falkon: "Falkon"
    }
  }
}

extension BrowserFamily {
  /// Returns the arguments that select a profile by its name in the browser's own list.
  ///
  /// - Throws: `BrowserError` if the family selects no profiles by name, or if the browser would read the name as an option.
  public func arguments(ofProfileNamed name: String) throws(BrowserError) -> [String] {
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw .invalidProfile(name, reason: "it is not a name")
    }
    switch engine {
    case .gecko:
      // Firefox reads an argument that begins with `-` as the next option.
      guard !name.hasPrefix("-") else {
        throw .invalidProfile(name, reason: "\(title) would read the name as an option; rename the profile")
      }
      return ["-P", name]
    case .chromium where self != .opera: return ["--profile-directory=\(name)"]
    case .falkon: return ["--profile=\(name)"]
    case .chromium, .epiphany: throw .unsupported(self, .profile)
    }
  }

  /// Returns the arguments that select a profile by the absolute path of its directory.
  ///
  /// - Throws: `BrowserError` if the family selects no profiles by path, or if the path is not absolute.
  public func arguments(ofProfileAt path: String) throws(BrowserError) -> [String] {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw .invalidProfile(path, reason: "its path is not absolute")
    }
    guard engine == .gecko else { throw .unsupported(self, .profile) }
    return ["--profile", path]
  }

  /// Returns the arguments that select the window, to be inserted right before the URL.
  ///
  /// - Throws: `BrowserError` if the family has no such window.
  public func arguments(isPrivate: Bool, opensNewWindow: Bool) throws(BrowserError) -> [String] {
    switch engine {
    case .gecko:
      // Each of the two options takes the URL as its value, and a private link opens in a private window in any case.
      if isPrivate { return ["--private-window"] }
      return opensNewWindow ? ["--new-window"] : []
    case .chromium:
      let mode =
        switch self {
        case .edge: "--inprivate"
        case .opera: "--private"
        default: "--incognito"
        }
      return (isPrivate ? [mode] : []) + (opensNewWindow ? ["--new-window"] : [])
    case .epiphany:
      return (isPrivate ? ["--incognito-mode"] : []) + (opensNewWindow ? ["--new-window"] : [])
    case .falkon:
      return (isPrivate ? ["--private-browsing"] : []) + (opensNewWindow ? ["--new-window"] : [])
    }
  }

  /// Indicates whether the arguments for a window take exactly one URL, which follows them.
  var windowTakesOneURL: Bool { engine == .gecko }
}
