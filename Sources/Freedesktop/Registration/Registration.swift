// SPDX-License-Identifier: Apache-2.0
/// Registers applications as handlers of schemes, through Usher or directly, and undoes that.
///
/// The desktop's own files are the registry. The schemes are added to the `MimeType` of the application's entry: in
/// place if the entry is the user's, otherwise in a copy in the user's directory. The user's `mimeapps.list` gets one
/// line for each scheme (see `DefaultApplicationsValue`). The `mimeinfo.cache` of the user's directory is edited here
/// rather than by `update-desktop-database`, because that program may be missing, and its changes could not be
/// planned, checked and undone together with the others. A later run of it writes equal associations.
public struct Registration: Sendable {
  let directories: BaseDirectories
  let programs: ProgramSearch
  let files: any FileReading
  let handler: ApplicationID
  /// The home directory, which is not created if it is missing; `nil` for the files of all users.
  let home: String?

  /// Creates a registration in the user's directories of `directories`, with `handler` in front of the applications.
  ///
  /// - Parameter isForAllUsers: whether these are ``BaseDirectories/forAllUsers``, so that created files must be
  ///   readable for all users.
  public init(
    directories: BaseDirectories, programs: ProgramSearch, files: some FileReading = LocalFiles(),
    handler: ApplicationID = .usherHandler, isForAllUsers: Bool = false
  ) {
    home = isForAllUsers ? nil : directories.home
    self.directories = directories
    self.programs = programs
    self.files = files
    self.handler = handler
  }

  /// Plans to make `applicant` the handler of `schemes`.
  ///
  /// - Parameters:
  ///   - isDirect: whether the application becomes the default itself, without Usher in front.
  ///   - setsDefault: whether the application becomes the default; otherwise its entry gets the schemes, and no list
  ///     is changed.
  ///   - isForWeb: whether `http` and `https` may be among the schemes.
  ///   - date: the time to record in the entry, in the format of RFC 3339; `nil` records none.
  /// - Throws: `FreedesktopError` for a refused scheme, an application that is not installed or cannot run, and files
  ///   that cannot be read or that Usher may not overwrite.
  public func plan(
    registering applicant: Applicant, for schemes: [URLScheme], directly isDirect: Bool = false,
    setsDefault: Bool = true, forWeb isForWeb: Bool = false, on date: String? = nil
  ) throws(FreedesktopError) -> RegistrationPlan {
    for scheme in schemes where !(isForWeb && URLScheme.web.contains(scheme)) {
      if let refusal = scheme.refusal { throw .refusedScheme(scheme.rawValue, reason: refusal) }
    }
    let resolver = resolver(files)
    let subject = try RegistrationTarget(
      applicant, .init(schemes: schemes, registration: self, catalog: resolver.catalog, date: date))
    guard subject.id != handler else {
      throw .notAnApplication(
        path: subject.path, reason: "it is Usher itself, which passes URLs to applications")
    }
    let warnings = try usability(of: subject.entry)

    var formers: [URLScheme: ApplicationID] = [:]
    for scheme in schemes {
      formers[scheme] = resolver.resolve(scheme, excluding: [handler]).application?.id
    }
    var draft = PlannedEdit(files: files, home: home)
    try draft.edit(subject.path) { $0 = subject.entry.file }
    if !subject.cachedTypes.isEmpty { try addToCache(subject.id, types: subject.cachedTypes, &draft) }
    if setsDefault { try addDefaults(subject.id, schemes: schemes, directly: isDirect, &draft) }
    let edits = try draft.edits()
    let edited = EditedFiles(base: files, edits: edits.edits)
    return RegistrationPlan(
      application: subject.id, schemes: schemes, isDirect: isDirect, exec: subject.entry.exec,
      formers: formers, edits: edits,
      warnings: warnings, lostEdits: subject.hasLostEdits ? subject.path : nil,
      original: subject.entry.file.string(of: ManagedKeys.copyOf, in: DesktopEntry.group),
      disagreements: setsDefault ? disagreements(of: subject.id, schemes, directly: isDirect, edited) : [],
      setsDefault: setsDefault)
  }

  /// Returns the schemes that currently resolve differently from `plan`, to verify the registration after writing.
  public func disagreements(with plan: RegistrationPlan) -> [RegistrationPlan.Disagreement] {
    guard plan.setsDefault else { return [] }
    return plan.application.map { disagreements(of: $0, plan.schemes, directly: plan.isDirect, files) } ?? []
  }

  /// Returns the schemes that do not resolve as intended.
  ///
  /// Every desktop tool must find Usher, and Usher must find the application; in a direct registration, every tool
  /// must find the application.
  private func disagreements(
    of application: ApplicationID, _ schemes: [URLScheme], directly isDirect: Bool, _ files: some FileReading
  ) -> [RegistrationPlan.Disagreement] {
    let resolver = resolver(files)
    let directly: [(ApplicationID, Set<ApplicationID>)] = [(application, [])]
    let throughUsher: [(ApplicationID, Set<ApplicationID>)] = [(handler, []), (application, [handler])]
    return schemes.flatMap { scheme in
      (isDirect ? directly : throughUsher).compactMap { expected, excluded in
        let resolution = resolver.resolve(scheme, excluding: excluded)
        guard resolution.application?.id != expected else { return nil }
        return RegistrationPlan.Disagreement(scheme: scheme, expected: expected, resolution: resolution)
      }
    }
  }

  func resolver(_ files: some FileReading) -> ApplicationResolver {
    ApplicationResolver(directories: directories, programs: programs, files: files)
  }

  private func usability(of entry: DesktopEntry) throws(FreedesktopError) -> [ExecLine.Warning] {
    let path = entry.path ?? "the entry"
    switch entry.refusal(programs: programs) {
    case .programNotFound(let program)?, .tryExecNotFound(let program)?: throw .programNotFound(program)
    case .programNotExecutable(let path)?: throw .programNotExecutable(path)
    case .invalidExec?: throw .invalidExec(entry.exec ?? "", reason: "its quotes do not match")
    case let refusal?: throw .notAnApplication(path: path, reason: refusal.description)
    case nil: break
    }
    if entry.isHidden {
      throw .notAnApplication(path: path, reason: "Hidden=true marks the entry as deleted")
    }
    if let exec = entry.exec { return try ExecLine(exec).warningsOfRegistering(exec) }
    guard entry.isDBusActivatable, entry.id?.busName != nil else {
      throw .notAnApplication(
        path: path, reason: "it has neither an Exec line nor DBusActivatable=true")
    }
    return []
  }

  private func addDefaults(
    _ application: ApplicationID, schemes: [URLScheme], directly isDirect: Bool, _ draft: inout PlannedEdit
  ) throws(FreedesktopError) {
    try draft.editList(directories.userAssociationList) { (list) throws(FreedesktopError) in
      for scheme in schemes {
        let line = DefaultApplicationsValue(handler: handler)
        let value = list.value(of: scheme.mimeType, in: AssociationList.defaultGroup)
        try list.set(
          scheme.mimeType,
          to: line.registering(application, directly: isDirect, in: value),
          in: AssociationList.defaultGroup)
      }
    }
  }

  func addToCache(
    _ application: ApplicationID, types: [String], _ draft: inout PlannedEdit
  ) throws(FreedesktopError) {
    try draft.editList(directories.userApplicationDirectory + "/mimeinfo.cache") {
      (cache) throws(FreedesktopError) in
      for type in types {
        var list = RawList(cache.value(of: type, in: AssociationList.cacheGroup))
        list.appendIfMissing(application.desktopFileName)
        try cache.set(type, to: list.raw, in: AssociationList.cacheGroup)
      }
    }
  }
}
