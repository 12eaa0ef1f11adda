// SPDX-License-Identifier: Apache-2.0
/// Edits that repair entries of the user.
extension Registration {
  /// Returns where the AppImage of an entry is now, if it was moved or replaced by an update; `nil` if it is unknown.
  public func movedAppImage(of entry: ManagedEntry) -> AppImage? {
    guard let old = entry.owner, let fingerprint = entry.appImage else { return nil }
    let home = directories.home
    let usual = ["", "/Applications", "/AppImages", "/.local/bin", "/bin", "/Downloads", "/Desktop"]
    return AppImage.moved(
      from: old, fingerprint: fingerprint, directories: usual.map { home + $0 } + ["/opt"])
  }

  /// Plans to let the entry of an AppImage run `image`.
  public func plan(moving entry: ManagedEntry, to image: AppImage) throws(FreedesktopError) -> FileEdits {
    var draft = PlannedEdit(files: files, home: home)
    try draft.edit(entry.path) { (file) throws(FreedesktopError) in
      let isEdited = try ManagedKeys.isEdited(file)
      file = try file.running(image.path)
      try file.set(ManagedKeys.owner, to: KeyFile.raw(image.path), in: DesktopEntry.group)
      try file.set(ManagedKeys.appImage, to: image.fingerprint, in: DesktopEntry.group)
      if !isEdited { file = try ManagedKeys.stamping(file) }
    }
    return try draft.edits()
  }

  /// Plans to add a code for the URL to the Exec line of the entry at `path`, which has none.
  public func plan(addingURLCodeAt path: String) throws(FreedesktopError) -> FileEdits {
    var draft = PlannedEdit(files: files, home: home)
    try draft.edit(path) { (file) throws(FreedesktopError) in
      guard let exec = file.value(of: "Exec", in: DesktopEntry.group) else { return }
      try file.set("Exec", to: exec + " %u", in: DesktopEntry.group)
    }
    return try draft.edits()
  }

  /// Plans to rename the user's entry at `path`, so that it no longer is one, and to remove it from the cache.
  ///
  /// - Throws: `FreedesktopError` if a file of the new name exists, or if the entry is a symbolic link, whose target the removal would empty.
  public func plan(settingAside id: ApplicationID, at path: String) throws(FreedesktopError) -> FileEdits {
    let aside = path + ".unused"
    guard !files.isLink(path) else {
      throw .cannotWrite(path: path, reason: "it is a symbolic link; rename it with mv")
    }
    guard let file = try read(path) else { return FileEdits([]) }
    guard try read(aside) == nil else { throw .alreadyExists(path: aside) }
    var draft = PlannedEdit(files: files, home: home)
    try draft.edit(aside) { $0 = file }
    try draft.remove(path)
    try dropFromCache(id, types: DesktopEntry(file: file).mimeTypes, &draft)
    return try draft.edits()
  }
}
