import BusInterfaces
import Glibc

/// A file in which an application notes what it has begun and what it has answered, before the effect of either.
///
/// It lies in `$XDG_RUNTIME_DIR/usher`, in a Flatpak sandbox in `$XDG_RUNTIME_DIR/app/ID`, under the application's ID and
/// `.requests`, mode 0600: it outlives the application, not the session, and after an hour without a request it counts for
/// nothing. One process at a time has it open, by a lock on the file: the instance that owns the application's name. Each
/// line is an event, in their order: the ID of the request, a space, and `begun`, `withdrawn`, `reported`, or the reply
/// as JSON. A line without its end was cut off and is none; zeros behind the lines are room. Where the file cannot be
/// written, the application works as without it.
final class DeduplicationLog {
  enum Event: Hashable {
    case begun
    /// Its caller is about to be told of the end by a URL.
    case reported
    /// The state is `answered` or `withdrawn`.
    case ended(RequestDeduplicator.State)
  }

  /// From how many bytes on the file is written anew, with what still counts.
  private static let long = 1 << 20
  private static let lifetime = 3_600
  /// How many bytes are kept for it on a disk that may be full.
  private static let reserve = 64 << 10

  private let path: String
  private var file: Int32
  private var size: Int
  /// Up to where there is room, whatever others write.
  private var reserved = 0

  /// Opens the journal of an application, or makes it; `nil` where there is no folder for it, it is not ours, or another
  /// process has it open.
  ///
  /// Only the owner of the application's name may open it: opening drops what was cut off and what is too old.
  init?(of applicationID: String, in runtimeDirectory: String?, flatpakID: String? = nil) {
    guard let runtimeDirectory else { return nil }
    let directory = runtimeDirectory + (flatpakID.map { "/app/\($0)" } ?? "/usher")
    mkdir(directory, 0o700)
    path = "\(directory)/\(applicationID).requests"
    guard let (file, status) = Self.openLocked(path) else { return nil }
    self.file = file
    size = Int(status.st_size)
    // What nobody came back to within the hour is over, and may be secret.
    if time(nil) - status.st_mtim.tv_sec > Self.lifetime || size > 4 * Self.long, ftruncate(file, 0) == 0 {
      size = 0
    }
  }

  /// Opens and locks the file at `path`, which must be a regular one of the user's.
  private static func openLocked(_ path: String) -> (file: Int32, status: stat)? {
    // Whoever had it locked may have put another file in its place meanwhile.
    for _ in 0..<10 {
      let file = open(path, O_CREAT)
      guard file >= 0 else { return nil }
      var (status, current) = (stat(), stat())
      guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == getuid(),
        lock(file)
      else {
        close(file)
        return nil
      }
      if lstat(path, &current) == 0, current.st_ino == status.st_ino, current.st_dev == status.st_dev,
        fstat(file, &status) == 0
      {
        return (file, status)
      }
      close(file)
    }
    return nil
  }

  /// Locks a file for this process until it closes the file; a child that it forks does not hold the lock.
  private static func lock(_ file: Int32) -> Bool { lockf(file, F_TLOCK, 0) == 0 }

  /// Has the file system keep room behind the lines.
  private func reserve() {
    guard size + Self.reserve / 2 > reserved,
      posix_fallocate(file, off_t(size), off_t(Self.reserve)) == 0
    else { return }
    reserved = size + Self.reserve
  }

  deinit { close(file) }

  private static func open(_ path: String, _ flags: Int32) -> Int32 {
    // A name that somebody prepared, as a link, is not followed.
    Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
  }

  /// The events that it holds; half a line at their end is none, and is written over.
  func read() -> [(id: String, event: Event)] {
    var bytes = [UInt8](repeating: 0, count: size)
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    let lines = bytes.prefix(max(count, 0)).prefix { $0 != 0 }
    size = lines.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // Nothing of what was cut off may stand behind what comes next.
    if size < lines.count, ftruncate(file, off_t(size)) == 0 { reserved = 0 }
    reserve()
    return lines.prefix(size).split(separator: UInt8(ascii: "\n")).compactMap(Self.event)
  }

  private static func event(_ line: ArraySlice<UInt8>) -> (id: String, event: Event)? {
    let parts = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1).map { String($0) }
    guard parts.count == 2 else { return nil }
    switch parts[1] {
    case "begun": return (parts[0], .begun)
    case "told": return (parts[0], .reported)
    case "withdrawn": return (parts[0], .ended(.withdrawn))
    case let text: return (try? Reply(json: text)).map { (parts[0], .ended(.answered($0))) }
    }
  }

  private static func line(_ id: String, _ event: Event) -> [UInt8] {
    switch event {
    case .begun, .ended(.begun): Array("\(id) begun\n".utf8)
    case .reported: Array("\(id) told\n".utf8)
    case .ended(.withdrawn): Array("\(id) withdrawn\n".utf8)
    case .ended(.answered(let reply)): Array("\(id) \(reply.json)\n".utf8)
    }
  }

  /// Writes an event behind the others.
  func append(_ event: Event, of id: String) {
    let line = Self.line(id, event)
    // Half a line, on a disk that is full, is written over by the next.
    guard pwrite(file, line, line.count, off_t(size)) == line.count else { return }
    size += line.count
    reserve()
  }

  /// Whether it is time to write it anew.
  var isLong: Bool { size > Self.long }

  /// Writes it anew with `events`, of which the last count most: as many as half of what is long.
  func rewrite(_ events: [(id: String, event: Event)]) {
    var lines: [[UInt8]] = []
    var count = 0
    for (id, event) in events.reversed() {
      let line = Self.line(id, event)
      guard count + line.count <= Self.long / 2 else { break }
      lines.append(line)
      count += line.count
    }
    let draft = path + ".new"
    unlink(draft)
    let new = Self.open(draft, O_CREAT | O_EXCL)
    guard new >= 0 else { return }
    let bytes = Array(lines.reversed().joined())
    guard Self.lock(new), write(new, bytes, bytes.count) == bytes.count,
      rename(draft, path) == 0
    else {
      unlink(draft)
      close(new)
      return
    }
    close(file)
    (file, size, reserved) = (new, bytes.count, 0)
    reserve()
  }
}
