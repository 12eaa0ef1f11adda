// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The names of the entries below one applications directory.
///
/// The first few names are looked up one by one. For more, or for all names, the directory is scanned, which for
/// thousands of names takes longer than everything else that one answer needs.
final class DirectoryIndex: Sendable {
  private enum State {
    /// The number of names that were looked up one by one.
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

  /// The scan of the directory, which is made at its first use and not repeated.
  var walk: DirectoryScanner { state.withLock { walk(&$0) } }

  func walkThrough() { _ = walk }

  /// Returns the path of the entry with this name, relative to the directory; `nil` if there is none.
  func relativePath(of name: String) -> String? {
    state.withLock { state in
      if case .asked(let count) = state, count < Self.most, let isThere = isInside(name) {
        state = .asked(count + 1)
        return isThere ? name : nil
      }
      return walk(&state).found[EntryFileName(text: name)]
    }
  }

  /// Returns whether the directory itself contains the entry; `nil` if only a scan can decide, as with subdirectories.
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
