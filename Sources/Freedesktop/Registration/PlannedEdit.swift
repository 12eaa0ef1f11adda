/// Key files that are being edited, read once and kept in the order in which they were first touched.
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

  /// Files that are read by `files`, of the user with this home directory, or of all users.
  init(files: any FileReading, home: String?) {
    self.files = files
    self.home = home
  }

  /// The file as it is to become; `nil` when it is not there.
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

  /// Edits a list of associations, which must be one that is read at all.
  mutating func editList(
    _ path: String, _ body: (inout KeyFile) throws(FreedesktopError) -> Void
  ) throws(FreedesktopError) {
    let index = try index(of: path)
    if let fault = drafts[index].file.faults.first {
      throw .cannotWrite(
        path: path, reason: "\(fault), so GLib ignores the whole file; mend or remove it first")
    }
    try body(&drafts[index].file)
  }

  /// Says that the file is to go.
  mutating func remove(_ path: String) throws(FreedesktopError) {
    let index = try index(of: path)
    drafts[index].isGone = true
  }

  /// The edits; a file that has come to hold nothing is removed, unless it held nothing before.
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
