import Glibc

/// Edits that are carried out together, or not at all.
public struct FileEdits: Sendable, Hashable {
  /// The edits in the order in which they are carried out.
  public let edits: [FileEdit]
  /// The home directory, which is not made where it is missing; `nil` where every directory may be made.
  public let home: String?

  /// Whether every user must be able to read the directories that are made.
  let isForAllUsers: Bool

  /// These edits; one that would change nothing is left out.
  public init(_ edits: [FileEdit], home: String? = nil, isForAllUsers: Bool = false) {
    self.isForAllUsers = isForAllUsers
    self.edits = edits.filter { $0.before != $0.after }
    self.home = home
  }

  /// The edits that put back what these change.
  public var reversed: FileEdits {
    FileEdits(edits.reversed().map(\.reversed), home: home, isForAllUsers: isForAllUsers)
  }

  /// Carries the edits out, each by an atomic replacement of its file.
  ///
  /// Links are followed and kept, the mode of a file is kept, missing directories are made, but for `home`. Every file is on
  /// disk before the next one is begun.
  ///
  /// - Throws: `FreedesktopError` when a file is not any more as it was read, or cannot be written; then
  ///   everything that was written has been put back.
  public func apply() throws(FreedesktopError) {
    var done: [FileEdit] = []
    var made: [String] = []
    do {
      for edit in edits {
        try Self.check(edit)
        made += try AtomicFile(edit.path).makeDirectory(home: home, mode: isForAllUsers ? 0o755 : 0o700)
        try Self.carryOut(edit)
        done.append(edit)
      }
    } catch {
      for edit in done.reversed() {
        do {
          try Self.carryOut(edit.reversed)
        } catch let second {
          throw .cannotRestore(path: edit.path, reason: second.description, after: error.description)
        }
      }
      for directory in made.reversed() { rmdir(directory) }
      throw error
    }
  }

  private static func check(_ edit: FileEdit) throws(FreedesktopError) {
    switch LocalFiles().read(edit.path) {
    case .bytes(edit.before): return
    case .missing where edit.before == nil: return
    case .unreadable(let reason): throw .cannotRead(path: edit.path, reason: reason)
    case .bytes, .missing: throw .changedMeanwhile(path: edit.path)
    }
  }

  private static func carryOut(_ edit: FileEdit) throws(FreedesktopError) {
    let file = AtomicFile(edit.path)
    if let content = edit.after { try file.replace(with: content) } else { try file.remove() }
  }
}
