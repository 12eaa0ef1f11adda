// SPDX-License-Identifier: Apache-2.0
/// A planned change of a file: its content before and after.
public struct FileEdit: Hashable, Sendable {
  /// The file's path; if it is a symbolic link, its target is edited and the link remains.
  public let path: String
  /// The content that was read; `nil` if there was no file.
  public let before: [UInt8]?
  /// The content to be written; `nil` if the file is to be removed.
  public let after: [UInt8]?

  /// Creates an edit of the file at `path`.
  public init(path: String, before: [UInt8]?, after: [UInt8]?) {
    self.path = path
    self.before = before
    self.after = after
  }

  var reversed: FileEdit { FileEdit(path: path, before: after, after: before) }
}

/// The files of `base` as they will be after `edits`, to check the result before writing.
struct EditedFiles: FileReading {
  let base: any FileReading
  let edits: [FileEdit]

  func read(_ path: String) -> FileOutcome {
    guard let edit = edits.last(where: { $0.path == path }) else { return base.read(path) }
    return edit.after.map(FileOutcome.bytes) ?? .missing
  }

  func list(_ directory: String) -> DirectoryOutcome {
    let below = edits.filter { $0.path.hasPrefix(directory + "/") }
    let outcome = base.list(directory)
    guard !below.isEmpty else { return outcome }
    var items: [DirectoryItem] = []
    if case .items(let found) = outcome { items = found }
    for edit in below {
      let rest = edit.path.dropFirst(directory.count + 1)
      let name = String(rest.unicodeScalars.prefix { $0 != "/" })
      if name.utf8.count == rest.utf8.count {
        items.removeAll { $0.name == name }
        if edit.after != nil { items.append(DirectoryItem(name: name)) }
      } else if !items.contains(where: { $0.name == name }), edit.after != nil {
        let identity = DirectoryIdentity(device: .max, inode: UInt64(truncatingIfNeeded: edit.path.hashValue))
        items.append(DirectoryItem(name: name, directory: identity))
      }
    }
    return .items(items)
  }

  func isExecutable(_ path: String) -> Bool { base.isExecutable(path) }
}
