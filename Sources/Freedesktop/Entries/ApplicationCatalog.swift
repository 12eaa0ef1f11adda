/// The applications of a desktop: every entry below the applications folders, found by its ID.
///
/// The names are taken in when the catalog is made, unless it is for one answer alone; entries are read when they are asked for. An
/// entry in a more important folder shadows all others of its ID. Desktop Entry Specification, "Desktop File ID".
public struct ApplicationCatalog: Sendable {
  /// The applications folders, most important first.
  public let directories: [String]
  private let names: [DirectoryIndex]
  private let files: any FileReading
  private let kept = DesktopEntryCache()

  /// Where an entry was found.
  public struct Location: Hashable, Sendable {
    /// The applications folder, as its place among `directories`.
    public let directory: Int
    /// The file's path below that folder, as `kde/okular.desktop`.
    public let relativePath: String
    /// The file's whole path.
    public let path: String
  }

  /// Takes in the names below the applications folders of `directories`.
  ///
  /// - Parameter isForOneAnswer: whether a few names are asked for, and soon: they are looked for when they are.
  public init(
    directories: BaseDirectories, files: some FileReading = LocalFiles(), isForOneAnswer: Bool = false
  ) {
    self.init(directories: directories.applicationDirectories, files: files, isForOneAnswer: isForOneAnswer)
  }

  /// Takes in the names below `directories`, most important first.
  public init(directories: [String], files: some FileReading = LocalFiles()) {
    self.init(directories: directories, files: files, isForOneAnswer: false)
  }

  private init(directories: [String], files: some FileReading, isForOneAnswer: Bool) {
    self.directories = directories
    self.files = files
    names = directories.map { DirectoryIndex(below: $0, files: files) }
    if !isForOneAnswer { for directory in names { directory.walkThrough() } }
  }

  /// What is looked at for the names: the folders, and what is no folder yet and may become one.
  var places: [String] { names.flatMap(\.walk.places) }

  /// The IDs of all entries that are there, usable or not, in the order of their text.
  public var ids: [ApplicationID] { Self.ids(of: Set(names.flatMap(\.walk.found.keys))) }

  /// The IDs of the entries that are in one of ``directories``.
  func ids(inDirectory directory: Int) -> [ApplicationID] {
    names.indices.contains(directory) ? Self.ids(of: names[directory].walk.found.keys) : []
  }

  private static func ids(of names: some Sequence<EntryFileName>) -> [ApplicationID] {
    names.compactMap { ApplicationID(desktopFileName: $0.text) }.sorted()
  }

  /// The ID that `text` spells, which may end in `.desktop` as files do: of both readings the one that is installed.
  ///
  /// `org.telegram.desktop` is an ID and its file is `org.telegram.desktop.desktop`; `org.example.Notes.desktop` is a
  /// file and its ID is `org.example.Notes`. Where both readings are installed, or neither is, it is the file's name.
  ///
  /// - Returns: `nil` where no file could have that name.
  public func id(spelled text: String) -> ApplicationID? {
    let readings = ApplicationID.readings(of: text)
    guard readings.count > 1 else { return readings.first }
    return readings.first { !locations(of: $0).isEmpty } ?? readings.first
  }

  /// Every place with an entry of this ID, most important first.
  public func locations(of id: ApplicationID) -> [Location] {
    locations(named: id.desktopFileName, in: names.indices)
  }

  /// The entry that counts for this ID, read whatever is in it; `nil` where there is none.
  ///
  /// - Throws: `FreedesktopError.cannotRead` for a file that is there and cannot be read.
  public func entry(_ id: ApplicationID) throws(FreedesktopError) -> DesktopEntry? {
    guard let location = locations(of: id).first else { return nil }
    switch files.read(location.path) {
    case .bytes(let bytes): return DesktopEntry(file: KeyFile(bytes: bytes), id: id, path: location.path)
    case .missing: return nil
    case .unreadable(let reason): throw .cannotRead(path: location.path, reason: reason)
    }
  }

  /// The entry GIO loads for this ID: the most important one that is not refused, with the refused before it.
  public func load(
    _ id: ApplicationID, programs: ProgramSearch
  ) -> (entry: DesktopEntry?, refused: [(location: Location, refusal: EntryError)]) {
    var refused: [(location: Location, refusal: EntryError)] = []
    for location in locations(of: id) {
      switch find(id, at: location.path) {
      case .entry((let entry, let needs)):
        guard let refusal = needs.refusal(programs: programs) else { return (entry, refused) }
        refused.append((location, refusal))
      case .missing: refused.append((location, .unreadable(reason: "the link leads nowhere")))
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

  /// The entry at a path, which is read where its file is not as it was the last time.
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

  /// What shows that the entry in a file has changed; `nil` where that cannot be told.
  public func status(ofEntryAt path: String) -> FileStatus? { files.status(of: path) }

  /// The more important place that shadows an entry which a list in `directory` names.
  func shadow(of name: String, aboveDirectory directory: Int) -> Location? {
    locations(named: name, in: names.indices.prefix(directory)).first
  }

  private func locations(named name: String, in directories: Range<Int>) -> [Location] {
    directories.compactMap { index in
      names[index].relativePath(of: name).map {
        Location(directory: index, relativePath: $0, path: self.directories[index] + "/" + $0)
      }
    }
  }
}
