/// Finds the entries below one applications folder; folders inside it become prefixes of the IDs.
struct DirectoryScanner {
  private let files: any FileReading
  /// Relative paths by the file name that the ID would have.
  private(set) var found: [EntryFileName: String] = [:]
  private(set) var places: [String] = []
  /// The folders from the top to here, so that a link back to one of them ends the walk.
  private var trail: [DirectoryIdentity] = []

  init(files: any FileReading) { self.files = files }

  mutating func enter(_ directory: String, prefix: String, relative: String) {
    places.append(directory)
    guard case .items(let items) = files.list(directory) else { return }
    // Where folders are in it, this is too little.
    if trail.isEmpty { found.reserveCapacity(items.count) }
    for item in items {
      guard !EntryFileName.isOne(item.name) else {
        // Of `a-b.desktop` and `a/b.desktop` the later in the directory holds: undefined, and so as GIO has it.
        found[EntryFileName(text: prefix.isEmpty ? item.name : prefix + item.name)] =
          relative.isEmpty ? item.name : relative + item.name
        continue
      }
      guard let identity = item.directory else {
        // A link may lead to a folder one day, which does not show in the folder that has the link.
        places.append(directory + "/" + item.name)
        continue
      }
      guard !trail.contains(identity) else { continue }
      trail.append(identity)
      enter(
        directory + "/" + item.name, prefix: prefix + item.name + "-", relative: relative + item.name + "/")
      trail.removeLast()
    }
  }
}
