// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// A desktop entry that handles schemes or is named for one.
struct ScannedEntry {
  let id: ApplicationID
  let path: String
  /// The index of its applications directory; 0 is the user's.
  let directoryIndex: Int
  let entry: DesktopEntry
  /// The reason why GIO does not load the entry; `nil` if it does.
  let refusal: EntryError?
  /// A Boolean value that indicates whether the path is a symbolic link, whose target another program may maintain.
  let isLink: Bool
  /// A Boolean value that is `true` if a directory of higher precedence has an entry with this ID.
  let isShadowed: Bool
  /// The other files of the directory that have the same ID.
  let twins: [String]

  var isUsers: Bool { directoryIndex == 0 }

  /// Returns the line number of a key.
  func line(of key: String) -> Int? { entry.file.line(of: key, in: DesktopEntry.group) }
}

/// A list of associations or a cache of them.
struct ScannedList {
  let path: String
  /// The parsed file; `nil` if it cannot be read.
  let file: KeyFile?
  /// The reason why the file cannot be read.
  let obstacle: String?
}

/// An applications directory with its cache.
struct ScannedDirectory {
  /// The index among the applications directories; 0 is the user's, which need not exist.
  let index: Int
  let path: String
  let cache: ScannedList?
  /// The IDs of all entries in the directory.
  let ids: Set<ApplicationID>
}

/// An existing file or directory that cannot be read.
struct Unreadable: Hashable {
  let path: String
  let reason: String
}
