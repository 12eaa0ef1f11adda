/// What could be read about a calling process, all of it while the process was certainly alive.
public struct CallerCredentials: Hashable, Sendable {
  /// What keeps a process from what its user may do.
  public enum Confinement: Hashable, Sendable {
    /// Its root has an information file of Flatpak's, of which nothing is made up where `isConfirmed`: Flatpak keeps
    /// the same file for that instance, where no sandbox can write.
    case flatpak(FlatpakInfo, isConfirmed: Bool)
    /// It has a user namespace of its own, or could not be looked into: nobody can say.
    case possible
  }

  /// A program: its path as the process sees it, and which file that is, in words that can only be compared.
  public struct Program: Hashable, Sendable {
    /// The path.
    public let path: String
    /// The same for the same file, whatever the path.
    public let file: String

    /// A program at `path`.
    public init(path: String, file: String) {
      self.path = path
      self.file = file
    }
  }

  /// What confines it; `nil` for a program that certainly runs outside, but for a snap, whose label or group tells.
  public var confinement: Confinement?
  /// The label that a security module gave it.
  public var securityLabel: String?
  /// Its control group.
  public var group: ControlGroup?
  /// Its program.
  public var program: Program?
  /// Its number and when it began, which no other process has had since the machine started.
  public var process: String?

  /// Facts that are all absent until set.
  public init(
    confinement: Confinement? = nil, securityLabel: String? = nil, group: ControlGroup? = nil,
    program: Program? = nil, process: String? = nil
  ) {
    self.confinement = confinement
    self.securityLabel = securityLabel
    self.group = group
    self.program = program
    self.process = process
  }

  /// What Flatpak keeps of its instance, where it is in one.
  public var flatpak: FlatpakInfo? {
    guard case .flatpak(let info, isConfirmed: true) = confinement else { return nil }
    return info
  }

  /// Whether it is in a sandbox, or nobody can say that it is not.
  public var mayBeSandboxed: Bool { confinement != nil || confiningSnap != nil }

  /// The snap that confines it, and whether the kernel says so; a group alone is a name that anybody may give.
  var confiningSnap: (name: SnapName?, isEnforced: Bool)? {
    if let label = securityLabel {
      if let name = SnapName(enforcedLabel: label) { return (name, true) }
      if SnapName.isUnconfined(label: label) { return nil }
    }
    return group?.snap.map { ($0, false) }
  }

  /// In whose scope the caller's request IDs are: its unit's, else its program's, else the process's own; `nil` for its
  /// connection's alone.
  ///
  /// Interpreters and openers are shared by programs that have nothing to do with each other, and inside a sandbox any
  /// path may be any program's.
  public var scope: String? {
    if let unit = group?.userUnit { return unit }
    guard !mayBeSandboxed, let path = program?.path, !SourceApplication.isGenericLauncher(path) else {
      return process
    }
    return path
  }
}
