// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Serializes the registrations of one user, so that none loses the edits of another.
///
/// The lock is on the configuration directory itself: no lock file remains, and the kernel releases the lock when the
/// process exits. `FileEdits` detects edits by programs that do not use this lock.
public struct RegistrationLock: Sendable {
  private let directory: String
  private let home: String?
  private let timeout: Duration?

  /// Creates the lock of the user with these directories, or of all users.
  ///
  /// - Parameter timeout: the longest time to wait while another process holds the lock. Every process that can open the
  ///   directory can lock it, also one of another user; without a timeout it could prevent registrations.
  public init(directories: BaseDirectories, isForAllUsers: Bool = false, timeout: Duration? = nil) {
    directory = directories.configHome
    home = isForAllUsers ? nil : directories.home
    self.timeout = timeout
  }

  /// Runs `body` while holding the lock.
  ///
  /// - Parameter willWait: is called once before waiting for another process.
  /// - Throws: `FreedesktopError` if the directory cannot be created or opened, and the errors of `body`.
  public func held<Value>(
    willWait: () -> Void = {}, _ body: () throws(FreedesktopError) -> Value
  ) throws(FreedesktopError) -> Value {
    let (descriptor, made) = try acquire(willWait)
    defer {
      // The lock is still held, so no other registration uses the directory. A waiting process finds that the
      // directory was replaced and tries again.
      for directory in made.reversed() { rmdir(directory) }
      // A program that is being started has the descriptor until it is executed, so closing it alone might not release.
      flock(descriptor, LOCK_UN)
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
            reason:
              "another process has locked this directory; to find it, run: fuser -v \(ShellWord.quoted(directory))"
          )
        }
      }
      if isStill(descriptor) { return (descriptor, made) }
      close(descriptor)
    }
  }

  /// Waits until the lock is acquired; returns `false` after the timeout.
  private func wait(for descriptor: Int32) -> Bool {
    guard let timeout else {
      // Other errors are ignored: a file system without such locks is no reason to fail, because `FileEdits` still
      // detects the edits of other programs.
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
