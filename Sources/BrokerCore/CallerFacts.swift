public import Freedesktop

/// What could be read about a calling process, all of it while the process was certainly alive.
public struct CallerFacts: Hashable, Sendable {
  /// The `name` of its `/.flatpak-info`, where it has one.
  public var flatpakName: String?
  /// Its unit of the user manager, as `app-org.example.Notes@1.service`.
  public var userUnit: String?
  /// The path of its program.
  public var executable: String?

  /// Its number and when it began, which no other process has had since the machine started.
  public var process: String?

  /// Facts that are all absent until set.
  public init(flatpakName: String? = nil, userUnit: String? = nil, executable: String? = nil) {
    self.flatpakName = flatpakName
    self.userUnit = userUnit
    self.executable = executable
  }

  /// In whose scope the caller's request IDs are: its unit's, else its program's, else the process's own; `nil` for its
  /// connection's alone.
  ///
  /// Interpreters and openers are shared by programs that have nothing to do with each other.
  public var scope: String? {
    userUnit ?? executable.flatMap { SourceApplication.isCarrier($0) ? nil : $0 } ?? process
  }
}

extension SourceApplication {
  /// Says who asked: sandbox, then unit, then executable, then the caller's own claim.
  ///
  /// A claim never overrides what was verified. Openers, shells, portals and we ourselves never name a
  /// source: they hand on what others asked for.
  ///
  /// - Parameters:
  ///   - facts: what was read, or `nil` when nothing could be read safely.
  ///   - claim: what the caller says it is.
  ///   - isInstalled: whether a desktop entry of that ID exists.
  ///   - owners: the applications whose program has this path.
  public static func identify(
    _ facts: CallerFacts?, claim: ApplicationID?, isInstalled: (ApplicationID) -> Bool,
    owners: (_ executable: String) -> [ApplicationID]
  ) -> SourceApplication {
    guard let facts else { return .unknown }
    if let name = facts.flatpakName {
      // Fails closed: what is sandboxed and cannot be named is nobody, whatever it claims.
      return ApplicationID(name).map { SourceApplication($0, .sandbox) } ?? .unknown
    }
    var middleman: ApplicationID?
    if let id = facts.userUnit.flatMap({ applicationID(ofUnit: $0, isInstalled: isInstalled) }) {
      guard isMiddleman(id) else { return SourceApplication(id, .unit) }
      middleman = id
    }
    if let program = facts.executable, !isCarrier(program) {
      let candidates = owners(program)
      if let only = candidates.first, candidates.count == 1, !isMiddleman(only) {
        return SourceApplication(only, .executable)
      }
    }
    if let claim { return SourceApplication(claim, .claimed) }
    return middleman.map(SourceApplication.hidden(by:)) ?? .unknown
  }

  /// Whether `id` is one of those that open links for others.
  static func isMiddleman(_ id: ApplicationID) -> Bool {
    id == .usherHandler || id.rawValue.hasPrefix("org.freedesktop.impl.portal.")
      || ["org.usher.Broker1", "org.freedesktop.portal.Desktop", "xdg-desktop-portal"].contains(id.rawValue)
  }

  /// Whether the program at `path` runs what others wrote, or opens what others ask for.
  static func isCarrier(_ path: String) -> Bool {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    if carriers.contains(name) { return true }
    // python3.11, perl5.36, lua5.4: an interpreter with its version.
    let stem = name.prefix { !$0.isNumber }
    return interpreters.contains(String(stem))
  }

  private static let carriers: Set<String> = [
    "usher", "usherd", "xdg-open", "gio", "gio-launch-desktop", "gvfs-open", "exo-open", "kde-open",
    "kde-open5", "kioclient", "kioclient5", "busctl", "gdbus", "dbus-send", "xdg-desktop-portal", "env",
    "systemd-run", "flatpak", "snap", "bwrap",
  ]
  private static let interpreters: Set<String> = [
    "sh", "bash", "dash", "zsh", "fish", "ksh", "busybox", "python", "perl", "ruby", "node", "java", "lua",
    "gjs", "gjs-console", "mono", "wine", "electron", "tclsh", "wish", "guile", "php", "pypy",
  ]
}
