// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Glibc

/// A journal of the requests that an application began and answered, each written before it takes effect.
///
/// The file is `$XDG_RUNTIME_DIR/usher/ID.requests`, in a Flatpak sandbox `$XDG_RUNTIME_DIR/app/ID/ID.requests`, mode
/// 0600, where ID is the application's ID. It survives the application but not the session, and its answers expire an
/// hour after the last request. A file lock admits one process at a time: the instance that owns the application's name. Each
/// line is one event, in order: the request ID, a space, and a keyword or the reply as JSON. An incomplete last line
/// is ignored; zero bytes after the lines are preallocated space. If the file cannot be written, the application
/// works without it. A file that cannot be read is an error, because it may contain the answer to a repeated request.
final class DeduplicationLog {
  enum Event: Hashable {
    case begun
    /// The handler was called, but did not read the request, so another instance may handle it.
    case notRead
    /// The caller is about to be answered by a callback URL.
    case reported
    /// The request has finished; the state is `answered`, `withdrawn` or `unknown`.
    case ended(RequestDeduplicator.State)
  }

  /// The size in bytes above which the file is rewritten with the events that are still needed.
  private static let long = 1 << 20
  private static let lifetime = 3_600
  /// The keyword before the reason, in the form of a reply with an error.
  private static let unknown = "unknown "
  /// The number of bytes that are preallocated, so that a full disk does not prevent the next events.
  private static let reserve = 64 << 10

  /// A function that reads a part of a file, like `pread`.
  typealias PartReader =
    @Sendable (_ file: Int32, _ part: UnsafeMutableRawBufferPointer, _ offset: off_t) -> Int

  private let path: String
  private let readPart: PartReader
  private var file: Int32
  private var size: Int
  /// The offset up to which disk space is preallocated.
  private var reserved = 0
  /// A Boolean value that is `true` if the file contains answers that have expired.
  ///
  /// Requests older than an hour that have finished are not repeated, and their content may be secret.
  private(set) var isExpired: Bool

  /// Opens or creates the journal of an application; `nil` if the file cannot be created or another process has locked it.
  ///
  /// Only the owner of the application's name may open it, because the owner discards an incomplete line and expired
  /// answers.
  ///
  /// - Parameter readPart: Reads a part of the file; set only by tests.
  /// - Throws: ``UnreadableJournal`` if the file exists and cannot be opened.
  init?(
    of applicationID: String, in runtimeDirectory: String?, flatpakID: String? = nil,
    readPart: @escaping PartReader = DeduplicationLog.pread
  ) throws(UnreadableJournal) {
    self.readPart = readPart
    guard let runtimeDirectory else { return nil }
    let directory = runtimeDirectory + (flatpakID.map { "/app/\($0)" } ?? "/usher")
    mkdir(directory, 0o700)
    path = "\(directory)/\(applicationID).requests"
    guard let (file, status) = try Self.openLocked(path) else { return nil }
    self.file = file
    size = Int(status.st_size)
    isExpired = status.st_mtim.tv_sec < time(nil) - Self.lifetime
  }

  static let pread: PartReader = { Glibc.pread($0, $1.baseAddress, $1.count, $2) }

  /// Opens and locks the file at `path`; `nil` unless it is a regular file of the user and not locked.
  private static func openLocked(_ path: String) throws(UnreadableJournal) -> (file: Int32, status: stat)? {
    // The previous owner of the lock may have replaced the file meanwhile.
    for _ in 0..<10 {
      let file = open(path, O_CREAT)
      let error = errno
      var (status, current) = (stat(), stat())
      guard file >= 0 else {
        // Without a file, no earlier instance has recorded an answer.
        guard lstat(path, &status) == 0 else { return nil }
        throw UnreadableJournal(path: path, reason: String(cString: strerror(error)))
      }
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

  /// Locks a file until this process closes it; forked children do not inherit the lock.
  private static func lock(_ file: Int32) -> Bool { lockf(file, F_TLOCK, 0) == 0 }

  /// Preallocates disk space after the last line.
  private func reserve() {
    guard size + Self.reserve / 2 > reserved,
      posix_fallocate(file, off_t(size), off_t(Self.reserve)) == 0
    else { return }
    reserved = size + Self.reserve
  }

  deinit { close(file) }

  private static func open(_ path: String, _ flags: Int32) -> Int32 {
    // A symbolic link that another process placed there is not followed.
    Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
  }

  /// Reads the events in order; an incomplete last line is ignored and later overwritten.
  ///
  /// The file may have any length, because it could not be rewritten while the disk was full. It is read in parts.
  ///
  /// - Throws: ``UnreadableJournal`` if a part cannot be read. The file is not changed then.
  func read(_ receive: (_ id: String, _ event: Event) -> Void) throws(UnreadableJournal) {
    var part = [UInt8](repeating: 0, count: Self.long)
    var line: [UInt8] = []
    var (end, position) = (0, 0)
    while true {
      let count = part.withUnsafeMutableBytes { readPart(file, $0, off_t(position)) }
      guard count >= 0 else {
        if errno == EINTR { continue }
        throw UnreadableJournal(path: path, reason: String(cString: strerror(errno)))
      }
      let text = part.prefix(count).prefix { $0 != 0 }
      var start = text.startIndex
      while let newline = text[start...].firstIndex(of: UInt8(ascii: "\n")) {
        line += text[start..<newline]
        if let (id, event) = Self.event(line[...]) { receive(id, event) }
        line = []
        start = newline + 1
        end = position + start
      }
      // A longer line is not from this journal.
      if line.count <= Self.long { line += text[start...] }
      position += text.count
      guard count > 0, text.count == count else { break }
    }
    size = end
    // Otherwise remains of the incomplete line could follow the next event.
    if end < position, ftruncate(file, off_t(end)) == 0 { reserved = 0 }
    reserve()
  }

  private static func event(_ line: ArraySlice<UInt8>) -> (id: String, event: Event)? {
    let parts = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1).map { String($0) }
    guard parts.count == 2 else { return nil }
    switch parts[1] {
    case "begun": return (parts[0], .begun)
    case "taken-back": return (parts[0], .notRead)
    case "reported": return (parts[0], .reported)
    case "withdrawn": return (parts[0], .ended(.withdrawn))
    case let text where text.hasPrefix(unknown):
      let reply = try? Reply(json: String(text.dropFirst(unknown.count)))
      return (parts[0], .ended(.unknown(reply?.error ?? "the outcome is unknown")))
    case let text: return (try? Reply(json: text)).map { (parts[0], .ended(.answered($0))) }
    }
  }

  private static func line(_ id: String, _ event: Event) -> [UInt8] {
    switch event {
    case .begun, .ended(.begun): Array("\(id) begun\n".utf8)
    case .notRead: Array("\(id) taken-back\n".utf8)
    case .reported: Array("\(id) reported\n".utf8)
    case .ended(.withdrawn): Array("\(id) withdrawn\n".utf8)
    case .ended(.unknown(let reason)):
      Array("\(id) \(unknown)\(Reply(handled: false, error: reason).json)\n".utf8)
    case .ended(.answered(let reply)): Array("\(id) \(reply.json)\n".utf8)
    }
  }

  /// Appends an event.
  func append(_ event: Event, of id: String) {
    let line = Self.line(id, event)
    // If the disk is full, the next event overwrites an incomplete line.
    guard pwrite(file, line, line.count, off_t(size)) == line.count else { return }
    size += line.count
    reserve()
  }

  /// A Boolean value that is `true` if the file is so long, or so old, that it is to be rewritten.
  var needsRewrite: Bool { size > Self.long || isExpired }

  /// Rewrites the file with the last of `events`, which are the most important ones, up to half of the maximum size.
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
    (file, size, reserved, isExpired) = (new, bytes.count, 0, false)
    reserve()
  }
}

/// The error of a journal that cannot be read.
struct UnreadableJournal: Error, Hashable, CustomStringConvertible {
  let path: String
  let reason: String

  var description: String {
    """
    the journal of handled requests “\(path)” cannot be read (\(reason)); requests that are repeated after a crash fail until it \
    can be read or is removed
    """
  }
}
