// SPDX-License-Identifier: Apache-2.0
/// The applications of a desktop: every entry below the applications directories, found by its ID.
///
/// The names are read when the catalog is created, unless it is for one answer; entries are read on demand. An entry
/// in a more important directory shadows all others of its ID. Desktop Entry Specification, "Desktop File ID".
public struct ApplicationCatalog: Sendable {
  /// The applications directories, most important first.
  public let directories: [String]
  private let names: [DirectoryIndex]
  private let files: any FileReading
  private let kept = DesktopEntryCache()

  /// The location of an entry.
  public struct Location: Hashable, Sendable {
    /// The index of the applications directory in `directories`.
    public let directoryIndex: Int
    /// The file's path below that directory, such as `kde/okular.desktop`.
    public let relativePath: String
    /// The file's full path.
    public let path: String
  }

  /// Reads the names below the applications directories of `directories`.
  ///
  /// - Parameter isForOneAnswer: whether the catalog serves one answer that needs few names; each name is then looked
  ///   up on demand.
  public init(
    directories: BaseDirectories, files: some FileReading = LocalFiles(), isForOneAnswer: Bool = false
  ) {
    self.init(directories: directories.applicationDirectories, files: files, isForOneAnswer: isForOneAnswer)
  }

  /// Reads the names below `directories`, most important first.
  public init(directories: [String], files: some FileReading = LocalFiles()) {
    self.init(directories: directories, files: files, isForOneAnswer: false)
  }

  private init(directories: [String], files: some FileReading, isForOneAnswer: Bool) {
    self.directories = directories
    self.files = files
    names = directories.map { DirectoryIndex(below: $0, files: files) }
    if !isForOneAnswer { for directory in names { directory.walkThrough() } }
  }

  /// The paths that were scanned for names: the directories, and the other items in them, which may become directories.
  var places: [String] { names.flatMap(\.walk.places) }

  /// The IDs of all installed entries, usable or not, sorted by their text.
  public var ids: [ApplicationID] { Self.ids(of: Set(names.flatMap(\.walk.found.keys))) }

  /// Returns the IDs of the entries below the directory at this index of ``directories``.
  func ids(inDirectoryAt index: Int) -> [ApplicationID] {
    names.indices.contains(index) ? Self.ids(of: names[index].walk.found.keys) : []
  }

  private static func ids(of names: some Sequence<EntryFileName>) -> [ApplicationID] {
    names.compactMap { ApplicationID(desktopFileName: $0.text) }.sorted()
  }

  /// Returns the ID that `text` represents, with or without `.desktop`; the installed one if both readings are possible.
  ///
  /// `org.telegram.desktop` is an ID and its file is `org.telegram.desktop.desktop`; `org.example.Notes.desktop` is a
  /// file and its ID is `org.example.Notes`. If both readings are installed, or neither is, the text is the name of a
  /// file.
  ///
  /// - Returns: `nil` if no file can have that name.
  public func id(spelled text: String) -> ApplicationID? {
    let readings = ApplicationID.readings(of: text)
    guard readings.count > 1 else { return readings.first }
    return readings.first { !locations(of: $0).isEmpty } ?? readings.first
  }

  /// Returns all locations of entries with this ID, most important first.
  public func locations(of id: ApplicationID) -> [Location] {
    locations(named: id.desktopFileName, in: names.indices)
  }

  /// Returns the most important entry with this ID, read without judging its content; `nil` if there is none.
  ///
  /// - Throws: `FreedesktopError.cannotRead` if the file exists and cannot be read.
  public func entry(_ id: ApplicationID) throws(FreedesktopError) -> DesktopEntry? {
    guard let location = locations(of: id).first else { return nil }
    switch files.read(location.path) {
    case .bytes(let bytes): return DesktopEntry(file: KeyFile(bytes: bytes), id: id, path: location.path)
    case .missing: return nil
    case .unreadable(let reason): throw .cannotRead(path: location.path, reason: reason)
    }
  }

  /// Returns the entry that GIO loads for this ID: the most important usable one, and the unusable ones that precede it.
  public func load(
    _ id: ApplicationID, programs: ProgramSearch
  ) -> (entry: DesktopEntry?, refused: [(location: Location, refusal: EntryError)]) {
    var refused: [(location: Location, refusal: EntryError)] = []
    for location in locations(of: id) {
      switch find(id, at: location.path) {
      case .entry((let entry, let needs)):
        guard let refusal = needs.refusal(programs: programs) else { return (entry, refused) }
        refused.append((location, refusal))
      case .missing:
        refused.append((location, .unreadable(reason: "the target of the symbolic link does not exist")))
      case .unreadable(let reason): refused.append((location, .unreadable(reason: reason)))
      }
    }
    return (nil, refused)
  }

  private enum Found {
    case entry(DesktopEntryCache.Entry)
    case missing
    case unreadable(reason: String)
  }

  /// Reads the entry at a path, from the cache if its file is unchanged.
  private func find(_ id: ApplicationID, at path: String) -> Found {
    if let entry = kept.entry(at: path, now: { files.status(of: path) }) { return .entry(entry) }
    let (outcome, status) = files.readWithStatus(path)
    switch outcome {
    case .bytes(let bytes):
      let entry = DesktopEntry(file: KeyFile(bytes: bytes), id: id, path: path)
      let found = (entry, LaunchRequirements(of: entry))
      kept.keep(found, at: path, status)
      return .entry(found)
    case .missing: return .missing
    case .unreadable(let reason): return .unreadable(reason: reason)
    }
  }

  /// Returns the status of an entry's file, which changes with the file; `nil` if it cannot be read.
  public func status(ofEntryAt path: String) -> FileStatus? { files.status(of: path) }

  /// Returns the more important location that shadows an entry which a list in the applications directory with this index names.
  func shadow(of name: String, aboveDirectoryAt index: Int) -> Location? {
    locations(named: name, in: names.indices.prefix(index)).first
  }

  private func locations(named name: String, in directories: Range<Int>) -> [Location] {
    directories.compactMap { index in
      names[index].relativePath(of: name).map {
        Location(directoryIndex: index, relativePath: $0, path: self.directories[index] + "/" + $0)
      }
    }
  }
}
