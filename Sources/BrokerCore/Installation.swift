public import Freedesktop

/// What an application's ID stands for on this desktop, and whether root alone can change that.
public struct Installation: Hashable, Sendable {
  /// Who can change it.
  public enum Owner: String, CaseIterable, Sendable {
    /// Root alone.
    case system
    /// Others as well, or that cannot be checked.
    case user
  }

  /// The path of the desktop entry that counts for the ID; `nil` where there is none.
  public let entry: String?
  /// The entries of the ID that this one hides.
  public let hiddenEntries: [String]
  /// Why others than root can change it, as a sentence; `nil` where root alone can.
  public let weakness: String?

  /// Who can change it.
  public var owner: Owner { weakness == nil ? .system : .user }

  /// The installation of `id`: its entry in `catalog`, the program that `programs` finds for it, and what is above both.
  ///
  /// - Parameter flatpak: what Flatpak says of the instance that runs, where the application is one; then its files count as well.
  public init(
    of id: ApplicationID, in catalog: ApplicationCatalog, programs: ProgramSearch,
    protection: RootProtection, flatpak: FlatpakInfo? = nil
  ) {
    let paths = catalog.locations(of: id).map(\.path)
    entry = paths.first
    // A directory may be listed twice.
    hiddenEntries = paths.indices.dropFirst().filter { !paths[..<$0].contains(paths[$0]) }.map { paths[$0] }
    weakness =
      Self.weakness(of: paths.first, id, catalog, programs, protection)
      ?? flatpak.flatMap { Self.weakness(of: $0, protection) }
  }

  private static func weakness(
    of path: String?, _ id: ApplicationID, _ catalog: ApplicationCatalog, _ programs: ProgramSearch,
    _ protection: RootProtection
  ) -> String? {
    guard let path else { return "it has no desktop entry" }
    if let weakness = protection.weakness(of: path) { return weakness }
    guard let entry = try? catalog.entry(id), !entry.isHidden,
      let name = entry.exec.flatMap({ try? ExecLine($0) })?.program
    else { return "\(path) names no program" }
    guard let program = programs.find(name, workingDirectory: entry.workingDirectory) else {
      return "its program \(name) is not found"
    }
    return protection.weakness(of: program)
  }

  private static func weakness(of flatpak: FlatpakInfo, _ protection: RootProtection) -> String? {
    guard let path = flatpak.applicationPath else { return "Flatpak does not say where it is installed" }
    return protection.weakness(of: path)
  }
}
