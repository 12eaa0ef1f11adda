// SPDX-License-Identifier: Apache-2.0
extension Registration {
  /// Plans to unregister `schemes` and to undo the changes that Usher made for `application`.
  ///
  /// Only changes that are still there are undone: if another program has changed the default meanwhile, its choice
  /// remains. The previous state is restored: the former line of `mimeapps.list` and the former `MimeType`. An entry
  /// that Usher copied or generated is removed, unless it was edited. The remains of an interrupted registration are
  /// removed as well.
  ///
  /// - Parameter application: the application; `nil` for the one that was registered last.
  /// - Throws: `FreedesktopError` for files that cannot be read.
  public func plan(
    unregistering application: ApplicationID?, from schemes: [URLScheme]
  ) throws(FreedesktopError) -> RegistrationPlan {
    let line = DefaultApplicationsValue(handler: handler)
    let catalog = ApplicationCatalog(directories: directories, files: files)
    let stamped = stampedEntries(in: catalog)
    var draft = PlannedEdit(files: files, home: home)
    var concerned: [(application: ApplicationID, scheme: URLScheme)] = []
    var left: [URLScheme] = []
    var kept: [String] = []
    try draft.editList(directories.userAssociationList) { (list) throws(FreedesktopError) in
      for scheme in schemes {
        let value = list.value(of: scheme.mimeType, in: AssociationList.defaultGroup)
        let registered = line.registered(in: value).map(\.application)
        if let application = application ?? registered.first {
          concerned.append((application, scheme))
        } else {
          concerned += stamped.filter { $0.schemes.contains(scheme) }.map { ($0.id, scheme) }
        }
        guard let rest = line.unregistering(application, from: value) else { continue }
        left.append(scheme)
        if rest.isEmpty {
          try list.clear(scheme.mimeType, in: AssociationList.defaultGroup)
          list.removeIfEmpty(group: AssociationList.defaultGroup)
        } else {
          try list.set(scheme.mimeType, to: rest, in: AssociationList.defaultGroup)
        }
      }
    }
    for application in Set(concerned.map(\.application)).sorted() {
      let theirs = concerned.filter { $0.application == application }.map(\.scheme)
      let (taken, path) = try remove(theirs, of: application, catalog: catalog, &draft)
      left += taken.filter { !left.contains($0) }
      if let path { kept.append(path) }
    }
    return RegistrationPlan(
      application: application ?? concerned.first?.application, schemes: schemes.filter(left.contains),
      isDirect: false, exec: nil, formers: [:], edits: try draft.edits(), warnings: [], kept: kept,
      disagreements: [])
  }

  /// Returns the schemes that Usher has registered for `application`, completely or in part, sorted by their text.
  public func schemes(registeredFor application: ApplicationID) -> [URLScheme] {
    let catalog = ApplicationCatalog(directories: directories, files: files)
    let stamped = stampedEntries(in: catalog).filter { $0.id == application }.flatMap(\.schemes)
    let schemes = registeredSchemes.filter { $0.applications.contains(application) }.map(\.scheme)
    return Set(schemes + stamped).sorted()
  }

  /// Removes Usher's changes from the user's entry.
  ///
  /// Returns the schemes that were removed, and the path of a copy or a generated entry that is kept because it was edited.
  private func remove(
    _ schemes: [URLScheme], of application: ApplicationID, catalog: ApplicationCatalog,
    _ draft: inout PlannedEdit
  ) throws(FreedesktopError) -> (taken: [URLScheme], kept: String?) {
    guard let location = catalog.locations(of: application).first, location.directoryIndex == 0,
      let file = try read(location.path)
    else { return ([], nil) }
    let rest = try ManagedKeys.removing(schemes, from: file)
    guard rest != file else { return ([], nil) }
    let goes = ManagedKeys.isOnlyOurs(rest)
    let before = DesktopEntry(file: file).mimeTypes
    let kept = goes ? [] : Set(DesktopEntry(file: rest).mimeTypes)
    try dropFromCache(application, types: before.filter { !kept.contains($0) }, &draft)
    if goes {
      try draft.remove(location.path)
    } else {
      try draft.edit(location.path) { $0 = rest }
    }
    let taken = ManagedKeys.stampedSchemes(of: file).filter(schemes.contains)
    let isKept = !goes && ManagedKeys.isOfUsher(rest) && ManagedKeys.stampedSchemes(of: rest).isEmpty
    return (taken, isKept ? location.path : nil)
  }

  func dropFromCache(
    _ application: ApplicationID, types: [String], _ draft: inout PlannedEdit
  ) throws(FreedesktopError) {
    try draft.editList(directories.userApplicationDirectory + "/mimeinfo.cache") {
      (cache) throws(FreedesktopError) in
      for type in types {
        var list = RawList(cache.value(of: type, in: AssociationList.cacheGroup))
        guard list.items.contains(application.desktopFileName) else { continue }
        list.items.removeAll { $0 == application.desktopFileName }
        if list.items.isEmpty {
          try cache.clear(type, in: AssociationList.cacheGroup)
        } else {
          try cache.set(type, to: list.raw, in: AssociationList.cacheGroup)
        }
      }
      cache.removeIfEmpty(group: AssociationList.cacheGroup)
    }
  }
}
