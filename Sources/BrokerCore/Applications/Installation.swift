// SPDX-License-Identifier: Apache-2.0
public import Freedesktop

/// The desktop entry of an application ID, and whether only root can change what it starts.
public struct Installation: Hashable, Sendable {
  /// The users that can change an installation.
  public enum Owner: String, CaseIterable, Sendable {
    /// Only root.
    case system
    /// Other users too, or the check was not possible.
    case user
  }

  /// The path of the desktop entry that is in effect for the ID; `nil` if there is none.
  public let entry: String?
  /// The paths of the entries that the effective entry hides.
  public let hiddenEntries: [String]
  /// The reason why other users than root can change the installation, as a sentence; `nil` if only root can.
  public let weakness: String?

  /// The users that can change the installation.
  public var owner: Owner { weakness == nil ? .system : .user }

  /// Inspects the installation of `id`: its entry in `catalog`, its program as found by `programs`, and their parent directories.
  ///
  /// - Parameter flatpak: The information file of the running instance of a Flatpak application, whose files are
  ///   inspected too.
  public init(
    of id: ApplicationID, in catalog: ApplicationCatalog, programs: ProgramSearch,
    protection: RootProtection, flatpak: FlatpakInfo? = nil
  ) {
    let paths = catalog.locations(of: id).map(\.path)
    entry = paths.first
    // The XDG variables may list a directory twice.
    hiddenEntries = paths.indices.dropFirst().filter { !paths[..<$0].contains(paths[$0]) }.map { paths[$0] }
    weakness =
      Self.weakness(of: paths.first, id: id, catalog: catalog, programs: programs, protection: protection)
      ?? flatpak.flatMap { Self.weakness(of: $0, protection) }
  }

  private static func weakness(
    of path: String?, id: ApplicationID, catalog: ApplicationCatalog, programs: ProgramSearch,
    protection: RootProtection
  ) -> String? {
    guard let path else { return "it has no desktop entry" }
    if let weakness = protection.weakness(of: path) { return weakness }
    guard let entry = try? catalog.entry(id), !entry.isHidden,
      let name = entry.exec.flatMap({ try? ExecLine($0) })?.program
    else { return "its desktop entry \(path) names no program" }
    guard let program = programs.find(name, workingDirectory: entry.workingDirectory) else {
      return "its program \(name) does not exist"
    }
    return protection.weakness(of: program)
  }

  private static func weakness(of flatpak: FlatpakInfo, _ protection: RootProtection) -> String? {
    guard let path = flatpak.applicationPath else { return "Flatpak does not report where it is installed" }
    return protection.weakness(of: path)
  }
}
