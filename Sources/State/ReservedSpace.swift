import Glibc

/// A file that only holds room on the disk, to be given up when there is none left.
///
/// What was accepted must still be noted as sent on a disk that has become full; what is new need not be taken.
struct ReservedSpace {
  /// Enough for a log that is written back in time, and for the pages it is written back to.
  static let size = 256 << 10

  let path: String
  private(set) var isHeld = false

  /// The reserve of the database at `path`; not held yet.
  init(of path: String) { self.path = path + "-reserve" }

  /// Takes the room; says whether it is held.
  mutating func hold() -> Bool {
    guard !isHeld else { return true }
    let file = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    isHeld = posix_fallocate(file, 0, off_t(Self.size)) == 0
    // Half of it would only be in the way.
    if !isHeld { ftruncate(file, 0) }
    return isHeld
  }

  /// Gives the room up.
  mutating func release() {
    truncate(path, 0)
    isHeld = false
  }
}
