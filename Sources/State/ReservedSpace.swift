// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A file that reserves space on the disk, which is released when the disk is full.
///
/// A broker on a full disk must still be able to record accepted requests as sent; new requests may be rejected.
struct ReservedSpace {
  /// The size in bytes, sufficient for a log with frequent checkpoints and for the pages that a checkpoint writes.
  static let size = 256 << 10

  /// The suffix of its path, after that of the database.
  static let suffix = "-reserve"

  let path: String
  private(set) var isHeld: Bool

  /// Creates the reserved space of the database at `path`, which is held if an earlier process has reserved it.
  init(of path: String) {
    self.path = path + Self.suffix
    var status = stat()
    // A file with holes occupies less space than its length.
    isHeld =
      lstat(self.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size >= Self.size
      && status.st_blocks * 512 >= Self.size
  }

  /// Allocates the space; returns whether it is held.
  mutating func hold() -> Bool {
    guard !isHeld else { return true }
    let file = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    isHeld = posix_fallocate(file, 0, off_t(Self.size)) == 0
    // A partial allocation would only occupy space.
    if !isHeld { ftruncate(file, 0) }
    return isHeld
  }

  /// Runs `write`; if the disk is full, releases the space and runs `write` again.
  mutating func using<Value>(_ write: () throws(StateError) -> Value) throws(StateError) -> Value {
    do throws(StateError) {
      return try write()
    } catch  where error.reason == .diskFull && isHeld {
      truncate(path, 0)
      isHeld = false
      return try write()
    }
  }
}
