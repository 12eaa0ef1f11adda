// SPDX-License-Identifier: Apache-2.0
/// The application of a registration: its ID and its planned entry.
struct RegistrationTarget {
  let id: ApplicationID
  /// The path of the existing or planned entry.
  let path: String
  let entry: DesktopEntry
  /// The types for the cache of the user's directory; none if the entry stays in another directory.
  let cachedTypes: [String]
  /// Indicates whether the copy or the generated entry that is overwritten had been edited.
  private(set) var hasLostEdits = false

  /// The schemes to be registered, with the dependencies and the time to record.
  struct Request {
    let schemes: [URLScheme]
    let registration: Registration
    let catalog: ApplicationCatalog
    let date: String?
  }

  init(_ applicant: Applicant, _ request: Request) throws(FreedesktopError) {
    switch applicant {
    case .installed(let id):
      try self.init(installed: id, request)
    case .file(let path, let wanted):
      let relative = request.catalog.directories.lazy.filter { path.hasPrefix($0 + "/") }.map {
        String(path.dropFirst($0.count + 1))
      }
      if let id = relative.first.flatMap(ApplicationID.init(pathInApplications:)), wanted ?? id == id,
        request.catalog.locations(of: id).first?.path == path
      {
        try self.init(installed: id, request)
      } else {
        try self.init(file: path, wanted, request)
      }
    case .appImage(let image, let inside, let id):
      try self.init(appImage: image, inside: inside, wanted: id, request: request)
    case .program(let name, let command, let id, let interfaces):
      try self.init(program: name, command: command, wanted: id, interfaces: interfaces, request: request)
    }
  }

  private init(id: ApplicationID, path: String, file: KeyFile, cachedTypes: [String]? = nil) {
    self.id = id
    self.path = path
    entry = DesktopEntry(file: file, id: id, path: path)
    self.cachedTypes = cachedTypes ?? entry.mimeTypes
  }

  private init(installed id: ApplicationID, _ request: Request) throws(FreedesktopError) {
    guard let location = request.catalog.locations(of: id).first,
      let file = try request.catalog.entry(id)?.file
    else { throw .unknownApplication(id) }
    let types = RawList(file.value(of: "MimeType", in: DesktopEntry.group)).items
    if location.directoryIndex == 0 {
      let edited = try ManagedKeys.adding(request.schemes, to: file, on: request.date)
      // All of Usher's schemes belong in the cache, even if an earlier attempt was interrupted before that. A copy
      // shadows the original, so its other types must be in the cache as well.
      let isCopy = edited.value(of: ManagedKeys.copyOf, in: DesktopEntry.group) != nil
      let ours = ManagedKeys.stampedSchemes(of: edited).map(\.mimeType)
      self.init(id: id, path: location.path, file: edited, cachedTypes: isCopy ? nil : ours)
    } else if request.schemes.allSatisfy({ types.contains($0.mimeType) }) {
      self.init(id: id, path: location.path, file: file, cachedTypes: [])
    } else {
      let copy = try ManagedKeys.copy(file, from: location.path, adding: request.schemes, on: request.date)
      let path = request.registration.directories.userApplicationDirectory + "/" + location.relativePath
      self.init(id: id, path: path, file: copy)
    }
  }

  private init(file path: String, _ wanted: ApplicationID?, _ request: Request) throws(FreedesktopError) {
    let name = path.lastPathComponent
    guard let id = wanted ?? ApplicationID(desktopFileName: name) else { throw .invalidApplicationID(name) }
    let target = request.registration.directories.userApplicationDirectory + "/" + id.desktopFileName
    let source = try request.registration.read(path)
    guard let source else { throw .cannotRead(path: path, reason: "the file does not exist") }
    let existing = try request.registration.read(target)
    if let existing { try Self.check(existing, at: target, of: id, mayMakeWayFor: path, request) }
    // An entry from another location must not shadow the installed one, unless the caller chose the ID explicitly.
    if wanted == nil, existing == nil, let other = request.catalog.locations(of: id).first {
      throw .installedElsewhere(id, path: other.path)
    }
    let copy = try ManagedKeys.copy(
      source, from: path, adding: ManagedKeys.stampedSchemes(of: existing) + request.schemes,
      on: request.date, insteadOf: existing)
    self.init(id: id, path: target, file: copy)
    hasLostEdits = try existing.map(ManagedKeys.isEdited) ?? false
  }

  /// Checks that the existing copy may be replaced: it must be of the file at `path`, or of a file that no longer exists.
  private static func check(
    _ existing: KeyFile, at target: String, of id: ApplicationID, mayMakeWayFor path: String,
    _ request: Request
  ) throws(FreedesktopError) {
    guard let original = existing.string(of: ManagedKeys.copyOf, in: DesktopEntry.group) else {
      throw .alreadyExists(path: target)
    }
    let registration = request.registration
    let isSame = registration.programs.file(at: original).map { $0 == registration.programs.file(at: path) }
    guard original == path || (isSame ?? true) else {
      throw .alreadyACopy(id, path: target, original: original)
    }
  }

  private init(
    appImage image: AppImage, inside: AppImageEntry, wanted: ApplicationID?, request: Request
  ) throws(FreedesktopError) {
    guard let id = wanted ?? ApplicationID(desktopFileName: inside.name) else {
      throw .invalidApplicationID(inside.name)
    }
    let path = request.registration.directories.userApplicationDirectory + "/" + id.desktopFileName
    let existing = try request.registration.read(path)
    if let existing, existing.value(of: ManagedKeys.appImage, in: DesktopEntry.group) == nil {
      throw .alreadyExists(path: path)
    }
    if wanted == nil, existing == nil, let other = request.catalog.locations(of: id).first {
      throw .installedElsewhere(id, path: other.path)
    }
    var file = try inside.file.running(image.path)
    // No activation file leads into the AppImage.
    file.remove("DBusActivatable", in: DesktopEntry.group)
    let values = [
      (ManagedKeys.generated, "true"), (ManagedKeys.owner, KeyFile.raw(image.path)),
      (ManagedKeys.appImage, image.fingerprint),
    ]
    for (key, value) in values { try file.set(key, to: value, in: DesktopEntry.group) }
    file = try ManagedKeys.adding(
      ManagedKeys.stampedSchemes(of: existing) + request.schemes, to: file, claimsAll: true, on: request.date,
      insteadOf: existing)
    self.init(id: id, path: path, file: try ManagedKeys.stamping(file))
    hasLostEdits = try existing.map(ManagedKeys.isEdited) ?? false
  }

  private init(
    program name: String, command: [String], wanted: ApplicationID?, interfaces: [String],
    request: Request
  ) throws(FreedesktopError) {
    var words = command
    guard let program = words.first else { throw .invalidExec("", reason: "it names no program") }
    guard let found = request.registration.programs.find(program) else {
      throw request.registration.programs.notExecutable(program).map { .programNotExecutable($0) }
        ?? .programNotFound(program)
    }
    words[0] = found
    if try ExecLine(ExecLine.line(of: words)).urlCodes.isEmpty { words.append("%u") }

    let place = try GeneratedEntry(name: name, program: found, wanted: wanted, request.registration)
    var file = KeyFile()
    var values = [
      ("Type", "Application"), ("Name", KeyFile.raw(name)), ("Exec", KeyFile.raw(ExecLine.line(of: words))),
      ("NoDisplay", "true"), (ManagedKeys.generated, "true"), (ManagedKeys.owner, KeyFile.raw(found)),
    ]
    if !interfaces.isEmpty { values.append(("Implements", interfaces.map { "\($0);" }.joined())) }
    for (key, value) in values { try file.set(key, to: value, in: DesktopEntry.group) }
    file = try ManagedKeys.adding(
      ManagedKeys.stampedSchemes(of: place.existing) + request.schemes, to: file, on: request.date,
      insteadOf: place.existing)
    self.init(id: place.id, path: place.path, file: try ManagedKeys.stamping(file))
    hasLostEdits = try place.existing.map(ManagedKeys.isEdited) ?? false
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
