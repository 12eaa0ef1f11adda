// SPDX-License-Identifier: Apache-2.0
/// Key files that are being edited, each read once, in the order of first use.
struct PlannedEdit {
  private let files: any FileReading
  private let home: String?
  private var drafts: [Draft] = []

  private struct Draft {
    let path: String
    let before: [UInt8]?
    var file: KeyFile
    var isGone = false
  }

  /// Creates a plan that reads with `files`; `home` is the user's home directory, or `nil` for all users.
  init(files: any FileReading, home: String?) {
    self.files = files
    self.home = home
  }

  /// Returns the file in its planned state; `nil` if it does not exist.
  mutating func file(_ path: String) throws(FreedesktopError) -> KeyFile? {
    let index = try index(of: path)
    return drafts[index].before == nil && drafts[index].file.lines.isEmpty ? nil : drafts[index].file
  }

  mutating func edit(
    _ path: String, _ body: (inout KeyFile) throws(FreedesktopError) -> Void
  ) throws(FreedesktopError) {
    let index = try index(of: path)
    try body(&drafts[index].file)
  }

  /// Edits an association list; fails if GLib would ignore the list because of a syntax error.
  mutating func editList(
    _ path: String, _ body: (inout KeyFile) throws(FreedesktopError) -> Void
  ) throws(FreedesktopError) {
    let index = try index(of: path)
    if let fault = drafts[index].file.fatalDiagnostics.first {
      throw .cannotWrite(
        path: path, reason: "\(fault), so GLib ignores the whole file; fix or remove it first")
    }
    try body(&drafts[index].file)
  }

  /// Marks the file for removal.
  mutating func remove(_ path: String) throws(FreedesktopError) {
    let index = try index(of: path)
    drafts[index].isGone = true
  }

  /// Returns the edits; a file that becomes empty is removed, unless it was empty before.
  func edits() throws(FreedesktopError) -> FileEdits {
    FileEdits(
      drafts.map { draft in
        let bytes = draft.file.bytes
        let isGone = draft.isGone || bytes.isEmpty && draft.before?.isEmpty != true
        return FileEdit(path: draft.path, before: draft.before, after: isGone ? nil : bytes)
      }, home: home, isForAllUsers: home == nil)
  }

  private mutating func index(of path: String) throws(FreedesktopError) -> Int {
    if let index = drafts.firstIndex(where: { $0.path == path }) { return index }
    switch files.read(path) {
    case .bytes(let bytes): drafts.append(Draft(path: path, before: bytes, file: KeyFile(bytes: bytes)))
    case .missing: drafts.append(Draft(path: path, before: nil, file: KeyFile()))
    case .unreadable(let reason): throw .cannotRead(path: path, reason: reason)
    }
    return drafts.count - 1
  }
}
