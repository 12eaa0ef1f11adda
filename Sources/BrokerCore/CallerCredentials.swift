// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// The credentials of a calling process, all of them read while the process was certainly alive.
public struct CallerCredentials: Hashable, Sendable {
  /// A restriction that keeps a process from what its user may do.
  public enum Confinement: Hashable, Sendable {
    /// A Flatpak sandbox, known from the information file in the root directory of the process.
    ///
    /// With `isConfirmed`, Flatpak's own copy of the file for that instance, to which no sandbox can write, has the
    /// same content.
    case flatpak(FlatpakInfo, isConfirmed: Bool)
    /// It may be sandboxed: it has a user or process-ID namespace of its own, or a root directory in a mount namespace of
    /// its own, or its control group is that of a container, or it filters the bus for a sandbox, or it could not be inspected.
    case possible
    /// The caller is a relay, and its request came from this machine.
    case remote(RemoteMachine)
  }

  /// A program: its path as the process sees it, and an identifier of its file that can only be compared.
  public struct Program: Hashable, Sendable {
    /// The path as the process sees it.
    public let path: String
    /// The identifier of the file, which is equal for equal files whatever their paths are.
    public let file: String

    /// Creates a program at `path`.
    public init(path: String, file: String) {
      self.path = path
      self.file = file
    }

    /// Returns the last part of the path, without the mark that the kernel adds if the program was replaced since its start.
    static func name(ofPath path: String) -> String {
      let name = path.lastPathComponent
      return name.hasSuffix(deletionMark) ? String(name.dropLast(deletionMark.count)) : name
    }

    private static let deletionMark = " (deleted)"

    /// A Boolean value that indicates whether the program filters the bus for a sandbox, so that the broker cannot see the caller.
    public var isBusProxy: Bool { Self.name(ofPath: path) == "xdg-dbus-proxy" }
  }

  /// The sandbox of the process; `nil` if it is certainly outside one.
  ///
  /// Snaps are recognized by `securityLabel` and `group` instead.
  public var confinement: Confinement?
  /// The label of the Linux security module, such as AppArmor's.
  public var securityLabel: String?
  /// The control group of the process.
  public var group: ControlGroup?
  /// The program of the process.
  public var program: Program?
  /// The name that the process's container gives itself, in a file that its programs can write.
  public var containerLabel: String?
  /// A Boolean value that indicates whether the process is a relay (`usher-remote`), which forwards requests of another machine.
  public var isRelay = false
  /// The process ID and the start time, which together are unique since the machine started.
  public var process: String?

  /// Creates credentials, whose parts are absent unless they are given.
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

  /// The contents of the Flatpak information file; `nil` outside Flatpak, and if Flatpak's own copy does not confirm it.
  public var flatpak: FlatpakInfo? {
    guard case .flatpak(let info, isConfirmed: true) = confinement else { return nil }
    return info
  }

  /// The machine from which the request came; `nil` for a request of a program here.
  public var machine: RemoteMachine? {
    guard case .remote(let machine) = confinement else { return nil }
    return machine
  }

  /// Returns the credentials of a request that this caller, a relay, forwards for a machine.
  ///
  /// Nothing about the relay's own process remains, so that the request has only the rights of the machine.
  public func forwarding(from machine: RemoteMachine) -> CallerCredentials {
    var facts = CallerCredentials(confinement: .remote(machine))
    facts.isRelay = isRelay
    return facts
  }

  /// A Boolean value that indicates whether the caller is sandboxed, or could not be shown to be outside a sandbox.
  public var mayBeSandboxed: Bool { confinement != nil || confiningSnap != nil }

  /// The container or other sandbox of the process, if nothing names the application in it.
  public var container: CallerContainer? {
    guard confinement == .possible else { return nil }
    // An opener or an interpreter says nothing about the program that opens the link.
    let path = program.map(\.path).flatMap { SourceApplication.isGenericLauncher($0) ? nil : $0 }
    return CallerContainer(scope: group?.container, label: containerLabel, program: path)
  }

  /// The snap that confines the process, and whether the kernel enforces it.
  ///
  /// A control group alone proves nothing, because programs can choose the names of their groups.
  var confiningSnap: (name: SnapName?, isEnforced: Bool)? {
    if let label = securityLabel {
      if let name = SnapName(enforcedLabel: label) { return (name, true) }
      if SnapName.isUnconfined(label: label) { return nil }
    }
    return group?.snap.map { ($0, false) }
  }

  /// The scope of the caller's request IDs: its unit, otherwise its program, otherwise its process; `nil` if they are unique only within its connection.
  ///
  /// Interpreters and openers are not used as a scope, because unrelated programs share them. Paths are not used in a
  /// sandbox, because there any path may belong to any program.
  public var scope: String? {
    // The IDs that relays give requests are unique among all machines, and stay the same if a relay is replaced.
    if isRelay { return "usher-remote" }
    if let unit = group?.userUnit { return unit }
    guard !mayBeSandboxed, let path = program?.path, !SourceApplication.isGenericLauncher(path) else {
      return process
    }
    return path
  }
}
