// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Edits that are applied all together or not at all.
public struct FileEdits: Sendable, Hashable {
  /// The edits in the order in which they are applied.
  public let edits: [FileEdit]
  /// The home directory, which is not created if it is missing; `nil` if every directory may be created.
  public let home: String?

  /// Indicates whether created directories must be readable for all users.
  let isForAllUsers: Bool

  /// Creates the edits, without those that would change nothing.
  public init(_ edits: [FileEdit], home: String? = nil, isForAllUsers: Bool = false) {
    self.isForAllUsers = isForAllUsers
    self.edits = edits.filter { $0.before != $0.after }
    self.home = home
  }

  /// The edits that undo these.
  public var reversed: FileEdits {
    FileEdits(edits.reversed().map(\.reversed), home: home, isForAllUsers: isForAllUsers)
  }

  /// Returns these edits followed by others, to be applied together.
  package func adding(_ others: FileEdits) -> FileEdits {
    FileEdits(edits + others.edits, home: home, isForAllUsers: isForAllUsers)
  }

  /// Applies the edits, each by atomic replacement of its file.
  ///
  /// Symbolic links are followed and remain, the mode of a file is preserved, and missing directories are created,
  /// except `home`. Every file is synced to disk before the next one is written.
  ///
  /// - Throws: `FreedesktopError` if a file differs from the content that was read, or cannot be written; all
  ///   previous writes are undone first.
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
