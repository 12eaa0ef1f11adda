/// An entry in the user's folder in which something is ours.
public struct StampedEntry: Hashable, Sendable {
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
  public func moment(of scheme: URLScheme) -> String? { EntryStamp.moment(of: scheme, in: file) }

  /// Whether this copy was made of `original` as it is now.
  public func isCopy(of original: KeyFile) -> Bool { EntryStamp.isCurrent(file, of: original) }

  /// The number of the line with the stamp.
  public var line: Int? { file.line(of: EntryStamp.schemes, in: DesktopEntry.group) }
}

extension Registration {
  /// The entries in the user's folder in which something is ours, in the order of their IDs; those that cannot be
  /// read are left out.
  public var stampedEntries: [StampedEntry] {
    stampedEntries(in: ApplicationCatalog(directories: directories, files: files))
  }

  func stampedEntries(in catalog: ApplicationCatalog) -> [StampedEntry] {
    var found: [StampedEntry] = []
    for id in catalog.ids(inFolder: 0) {
      guard let location = catalog.locations(of: id).first, case .bytes(let bytes) = files.read(location.path)
      else { continue }
      let file = KeyFile(bytes: bytes)
      let schemes = EntryStamp.stampedSchemes(of: file)
      guard !schemes.isEmpty else { continue }
      found.append(
        StampedEntry(
          id: id, path: location.path, file: file, schemes: schemes,
          original: file.string(of: EntryStamp.copyOf, in: DesktopEntry.group),
          owner: file.string(of: EntryStamp.owner, in: DesktopEntry.group)))
    }
    return found
  }
}
