import Synchronization

/// The names of the entries below one applications folder.
///
/// Who asks for a few names alone has them looked for one by one; who asks for more, or for all, has the folder walked through, which for
/// thousands of names takes longer than all else that one answer needs.
final class DirectoryIndex: Sendable {
  private enum State {
    /// So many names were looked for.
    case asked(Int)
    case walked(DirectoryScanner)
  }

  private static let most = 16
  private let directory: String
  private let files: any FileReading
  private let state = Mutex(State.asked(0))

  init(below directory: String, files: some FileReading) {
    (self.directory, self.files) = (directory, files)
  }

  /// All that is there: as it was when this, or a name that cannot be looked for by itself, was asked for first.
  var walk: DirectoryScanner { state.withLock { walk(&$0) } }

  func walkThrough() { _ = walk }

  /// Where the entry of this name is, as a path below the folder.
  func relativePath(of name: String) -> String? {
    state.withLock { state in
      if case .asked(let count) = state, count < Self.most, let isThere = isInside(name) {
        state = .asked(count + 1)
        return isThere ? name : nil
      }
      return walk(&state).found[EntryFileName(text: name)]
    }
  }

  /// Whether the folder itself has the entry; `nil` where a folder inside may have it, or its list alone tells.
  private func isInside(_ name: String) -> Bool? {
    guard EntryFileName.isOne(name) else { return false }
    for (index, byte) in zip(name.utf8.indices, name.utf8) where byte == UInt8(ascii: "-") {
      guard files.has(String(name[..<index]), in: directory) == false else { return nil }
    }
    return files.has(name, in: directory)
  }

  private func walk(_ state: inout State) -> DirectoryScanner {
    if case .walked(let walk) = state { return walk }
    var walk = DirectoryScanner(files: files)
    walk.enter(directory, prefix: "", relative: "")
    state = .walked(walk)
    return walk
  }
}
