import Glibc

/// Keeps two registrations of one user from working at the same time, so that neither loses the other's edits.
///
/// The lock is on the configuration directory itself: no file is left behind, and the system lets go of it when a
/// process ends, however it ends. Programs that know nothing of it are noticed by `FileEdits`.
public struct RegistrationLock: Sendable {
  private let directory: String
  private let home: String?
  private let timeout: Duration?

  /// The lock of the user whose directories these are, or of all users.
  ///
  /// - Parameter timeout: how long another process may hold the lock. Every user can open, and lock, a directory of all users; without a
  ///   timeout one of them could keep the administrator from registering.
  public init(directories: BaseDirectories, isForAllUsers: Bool = false, timeout: Duration? = nil) {
    directory = directories.configHome
    home = isForAllUsers ? nil : directories.home
    self.timeout = timeout
  }

  /// Runs `body` while nobody else registers.
  ///
  /// - Parameter willWait: is called once when another process is at work, before its end is awaited.
  /// - Throws: `FreedesktopError` when the directory cannot be made or opened, and what `body` throws.
  public func held<Value>(
    willWait: () -> Void = {}, _ body: () throws(FreedesktopError) -> Value
  ) throws(FreedesktopError) -> Value {
    let (descriptor, made) = try acquire(willWait)
    defer {
      // Still locked, so nobody works in it; who waits for it finds another directory and tries again.
      for directory in made.reversed() { rmdir(directory) }
      close(descriptor)
    }
    return try body()
  }

  private func acquire(_ willWait: () -> Void) throws(FreedesktopError) -> (Int32, made: [String]) {
    var hasWaited = false
    while true {
      let made = try AtomicFile.make(directory, home: home, mode: home == nil ? 0o755 : 0o700)
      let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      if descriptor < 0, errno == ENOENT { continue }
      guard descriptor >= 0 else { throw .cannotRead(path: directory, reason: reason(errno)) }
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
        if !hasWaited { willWait() }
        hasWaited = true
        guard wait(for: descriptor) else {
          close(descriptor)
          throw .cannotWrite(
            path: directory,
            reason: "another process holds a lock on this directory; “fuser -v \(directory)” names it")
        }
      }
      if isStill(descriptor) { return (descriptor, made) }
      close(descriptor)
    }
  }

  /// Waits until the lock is acquired; `false` after the timeout.
  private func wait(for descriptor: Int32) -> Bool {
    guard let timeout else {
      // A file system that has no such locks is no reason to refuse; edits of others are noticed still.
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      return true
    }
    let end = ContinuousClock.now + timeout
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
      guard .now < end else { return false }
      usleep(20_000)
    }
    return true
  }

  private func isStill(_ descriptor: Int32) -> Bool {
    var ours = stat()
    var theirs = stat()
    return fstat(descriptor, &ours) == 0 && stat(directory, &theirs) == 0 && ours.st_dev == theirs.st_dev
      && ours.st_ino == theirs.st_ino
  }
}
