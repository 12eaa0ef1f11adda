/// An entry in the user's folder in which something is ours.
public struct ManagedEntry: Hashable, Sendable {
  /// The application.
  public let id: ApplicationID
  /// Where the entry is.
  public let path: String
  /// The entry.
  public let file: KeyFile
  /// The schemes that were registered, in the order in which they were.
  public let schemes: [URLScheme]
  /// The entry that this one is a copy of; `nil` for one that is no copy.
  public let original: String?
  /// The program that this entry was written for; `nil` for one that had an entry.
  public let owner: String?

  /// When `scheme` was registered, as RFC 3339 has it; `nil` where that was not written down.
  public func moment(of scheme: URLScheme) -> String? { ManagedKeys.moment(of: scheme, in: file) }

  /// Whether this copy was made of `original` as it is now.
  public func isCopy(of original: KeyFile) -> Bool { ManagedKeys.isCurrent(file, of: original) }

  /// The number of the line with the stamp.
  public var line: Int? { file.line(of: ManagedKeys.schemes, in: DesktopEntry.group) }
}

extension Registration {
  /// The entries in the user's folder in which something is ours, in the order of their IDs; those that cannot be
  /// read are left out.
  public var stampedEntries: [ManagedEntry] {
    stampedEntries(in: ApplicationCatalog(directories: directories, files: files))
  }

  func stampedEntries(in catalog: ApplicationCatalog) -> [ManagedEntry] {
    var found: [ManagedEntry] = []
    for id in catalog.ids(inDirectory: 0) {
      guard let location = catalog.locations(of: id).first, case .bytes(let bytes) = files.read(location.path)
      else { continue }
      let file = KeyFile(bytes: bytes)
      let schemes = ManagedKeys.stampedSchemes(of: file)
      guard !schemes.isEmpty else { continue }
      found.append(
        ManagedEntry(
          id: id, path: location.path, file: file, schemes: schemes,
          original: file.string(of: ManagedKeys.copyOf, in: DesktopEntry.group),
          owner: file.string(of: ManagedKeys.owner, in: DesktopEntry.group)))
    }
    return found
  }
}
