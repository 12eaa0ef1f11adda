/// The application of a registration: its ID, and its entry as it is to become.
struct Subject {
  let id: ApplicationID
  /// Where the entry is, or is to lie.
  let path: String
  let entry: DesktopEntry
  /// Whether the entry is to be written; else it has the schemes already.
  let isEdited: Bool
  /// Whether the entry hides one that lies in another folder.
  let isCopy: Bool

  init(
    _ applicant: Applicant, schemes: [URLScheme], registration: Registration, catalog: ApplicationCatalog
  ) throws(FreedesktopError) {
    switch applicant {
    case .installed(let id):
      try self.init(installed: id, schemes, registration, catalog)
    case .file(let path):
      let relative = catalog.folders.lazy.filter { path.hasPrefix($0 + "/") }.map {
        String(path.dropFirst($0.count + 1))
      }
      if let id = relative.first.flatMap(ApplicationID.init(pathInApplications:)),
        catalog.locations(of: id).first?.path == path
      {
        try self.init(installed: id, schemes, registration, catalog)
      } else {
        try self.init(file: path, schemes, registration)
      }
    case .program(let name, let command, let id):
      try self.init(program: name, command, id, schemes, registration)
    }
  }

  private init(
    id: ApplicationID, path: String, file: KeyFile, isEdited: Bool, isCopy: Bool
  ) {
    self.id = id
    self.path = path
    self.isEdited = isEdited
    self.isCopy = isCopy
    entry = DesktopEntry(file: file, id: id, path: path)
  }

  private init(
    installed id: ApplicationID, _ schemes: [URLScheme], _ registration: Registration,
    _ catalog: ApplicationCatalog
  ) throws(FreedesktopError) {
    guard let location = catalog.locations(of: id).first, let file = try catalog.entry(id)?.file else {
      throw .unknownApplication(id)
    }
    let types = RawList(file.value(of: "MimeType", in: DesktopEntry.group)).items
    guard !schemes.allSatisfy({ types.contains($0.mimeType) }) else {
      self.init(id: id, path: location.path, file: file, isEdited: false, isCopy: false)
      return
    }
    if location.folder == 0 {
      let edited = try EntryStamp.adding(schemes, to: file)
      self.init(id: id, path: location.path, file: edited, isEdited: true, isCopy: false)
    } else {
      let copy = try EntryStamp.copy(file, from: location.path, adding: schemes)
      let path = registration.directories.userApplicationFolder + "/" + location.relativePath
      self.init(id: id, path: path, file: copy, isEdited: true, isCopy: true)
    }
  }

  private init(file path: String, _ schemes: [URLScheme], _ registration: Registration)
    throws(FreedesktopError)
  {
    let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    guard let id = ApplicationID(desktopFileName: name) else { throw .invalidApplicationID(name) }
    let target = registration.directories.userApplicationFolder + "/" + name
    let source = try registration.read(path)
    guard let source else { throw .cannotRead(path: path, reason: "there is no such file") }
    let existing = try registration.read(target)
    let isOurs = existing.map { $0.string(of: EntryStamp.copyOf, in: DesktopEntry.group) == path }
    guard isOurs != false else { throw .alreadyExists(path: target) }
    let copy = try EntryStamp.copy(
      source, from: path, adding: EntryStamp.stampedSchemes(of: existing) + schemes)
    self.init(id: id, path: target, file: copy, isEdited: true, isCopy: true)
  }

  private init(
    program name: String, _ command: [String], _ wanted: ApplicationID?, _ schemes: [URLScheme],
    _ registration: Registration
  ) throws(FreedesktopError) {
    let id = if let wanted { wanted } else { try Self.id(for: name) }
    let path = registration.directories.userApplicationFolder + "/" + id.desktopFileName
    let existing = try registration.read(path)
    let isOurs = existing.map { $0.value(of: EntryStamp.generated, in: DesktopEntry.group) == "true" }
    guard isOurs != false else { throw .alreadyExists(path: path) }
    var words = command
    guard let program = words.first else { throw .invalidExec("", reason: "it names no program") }
    guard let found = registration.programs.find(program) else { throw .programNotFound(program) }
    words[0] = found
    if try ExecLine(ExecLine.line(of: words)).urlCodes.isEmpty { words.append("%u") }

    var file = KeyFile()
    let values = [
      ("Type", "Application"), ("Name", KeyFile.raw(name)), ("Exec", KeyFile.raw(ExecLine.line(of: words))),
      ("NoDisplay", "true"), (EntryStamp.generated, "true"),
    ]
    for (key, value) in values { try file.set(key, to: value, in: DesktopEntry.group) }
    file = try EntryStamp.adding(EntryStamp.stampedSchemes(of: existing) + schemes, to: file)
    self.init(id: id, path: path, file: file, isEdited: true, isCopy: true)
  }

  /// Not a name on the bus, so that nobody takes a program that has none for one that has.
  private static func id(for name: String) throws(FreedesktopError) -> ApplicationID {
    let words = name.asciiLowercased.utf8.split { !$0.isASCIILetter && !$0.isASCIIDigit }
    let slug = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    guard !slug.isEmpty, let id = ApplicationID("usher-" + slug) else { throw .invalidApplicationID(name) }
    return id
  }
}

extension Registration {
  func read(_ path: String) throws(FreedesktopError) -> KeyFile? {
    switch files.read(path) {
    case .bytes(let bytes): return KeyFile(bytes: bytes)
    case .missing: return nil
    case .unreadable(let reason): throw .cannotRead(path: path, reason: reason)
    }
  }
}
