import Freedesktop

/// A desktop entry that has to do with schemes, as it was found.
struct ScannedEntry {
  let id: ApplicationID
  let path: String
  /// The applications folder it is in, as its place among them; 0 is the user's.
  let directory: Int
  let entry: DesktopEntry
  /// Why GIO does not load it; `nil` when it does.
  let refusal: EntryError?
  /// Whether an entry of the same ID lies in a more important folder.
  let isShadowed: Bool
  /// Other files of the same folder that have the same ID.
  let twins: [String]

  var isUsers: Bool { directory == 0 }

  /// The number of the line with a key.
  func line(of key: String) -> Int? { entry.file.line(of: key, in: DesktopEntry.group) }
}

/// A list of associations, or a cache of them, as it was found.
struct ScannedList {
  let path: String
  /// Its content; `nil` when it cannot be read.
  let file: KeyFile?
  /// Why it cannot be read.
  let obstacle: String?
}

/// An applications folder with its cache.
struct ScannedDirectory {
  /// Its place among the applications folders; 0 is the user's, which need not be there.
  let place: Int
  let path: String
  let cache: ScannedList?
  /// Every ID that has an entry here.
  let ids: Set<ApplicationID>
}

/// Something that is there and cannot be read.
struct Unreadable: Hashable {
  let path: String
  let reason: String
}
