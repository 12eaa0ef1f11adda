// SPDX-License-Identifier: Apache-2.0
/// Scans for the entries below one applications directory; the names of subdirectories become prefixes of the IDs.
struct DirectoryScanner {
  private let files: any FileReading
  /// Relative paths, by the file name of the ID.
  private(set) var found: [EntryFileName: String] = [:]
  private(set) var places: [String] = []
  /// The directories from the top to the current one, so that a symbolic link to one of them does not loop.
  private var trail: [DirectoryIdentity] = []
  /// The number of listings of each directory below the second level.
  private var listings: [DirectoryIdentity: Int] = [:]
  /// The largest number of paths below the second level by which one directory is listed.
  ///
  /// With symbolic links to each other, a few directories have millions of paths.
  static let maximumListings = 8

  init(files: any FileReading) { self.files = files }

  mutating func enter(_ directory: String, prefix: String, relative: String) {
    places.append(directory)
    guard case .items(let items) = files.list(directory) else { return }
    // With subdirectories this is too little, and the dictionary grows.
    if trail.isEmpty { found.reserveCapacity(items.count) }
    for item in items {
      guard !EntryFileName.isOne(item.name) else {
        // Of `a-b.desktop` and `a/b.desktop` the later one wins. The specification leaves it undefined; GIO does the
        // same.
        found[EntryFileName(text: prefix.isEmpty ? item.name : prefix + item.name)] =
          relative.isEmpty ? item.name : relative + item.name
        continue
      }
      guard let identity = item.directory else {
        // A symbolic link may lead to a directory later, which does not change the directory that contains the link.
        places.append(directory + "/" + item.name)
        continue
      }
      guard !trail.contains(identity) else { continue }
      if trail.count >= 2 {
        guard listings[identity, default: 0] < Self.maximumListings else { continue }
        listings[identity, default: 0] += 1
      }
      trail.append(identity)
      enter(
        directory + "/" + item.name, prefix: prefix + item.name + "-", relative: relative + item.name + "/")
      trail.removeLast()
    }
  }
}
