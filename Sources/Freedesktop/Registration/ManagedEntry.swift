// SPDX-License-Identifier: Apache-2.0
/// An entry in the user's directory that contains keys of Usher.
public struct ManagedEntry: Hashable, Sendable {
  /// The ID of the application.
  public let id: ApplicationID
  /// The path of the entry.
  public let path: String
  /// The content of the entry.
  public let file: KeyFile
  /// The registered schemes, in the order of registration.
  public let schemes: [URLScheme]
  /// The path of the entry from which this one was copied; `nil` if it is not a copy.
  public let original: String?
  /// The program for which this entry was generated; `nil` if it was not generated.
  public let owner: String?
  /// A Boolean value that indicates whether the entry was generated from an AppImage, whose path is `owner`.
  public var isFromAppImage: Bool { appImage != nil }
  /// The fingerprint of that AppImage.
  var appImage: String? { file.string(of: ManagedKeys.appImage, in: DesktopEntry.group) }

  /// Returns the time at which `scheme` was registered, in the format of RFC 3339; `nil` if it was not recorded.
  public func moment(of scheme: URLScheme) -> String? { ManagedKeys.moment(of: scheme, in: file) }

  /// Returns whether this copy was made from `original` in its current state.
  public func isCopy(of original: KeyFile) -> Bool { ManagedKeys.isCurrent(file, of: original) }

  /// The number of the line `X-Usher-Schemes`.
  public var line: Int? { file.line(of: ManagedKeys.schemes, in: DesktopEntry.group) }
}

extension Registration {
  /// The entries in the user's directory that contain keys of Usher, sorted by ID; unreadable ones are skipped.
  public var stampedEntries: [ManagedEntry] {
    stampedEntries(in: ApplicationCatalog(directories: directories, files: files))
  }

  func stampedEntries(in catalog: ApplicationCatalog) -> [ManagedEntry] {
    var found: [ManagedEntry] = []
    for id in catalog.ids(inDirectoryAt: 0) {
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
