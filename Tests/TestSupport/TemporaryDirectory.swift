// SPDX-License-Identifier: Apache-2.0
import CTestSupport
public import Foundation
import Glibc

/// A temporary directory for one test, which is removed with its content when the last reference is released.
public final class TemporaryDirectory: Sendable {
  /// The absolute path, short enough for the paths of sockets in it.
  public let path: String

  /// Creates the directory in `parent`, mode 0700.
  public init(in parent: String = "/tmp") throws(TestSupportError) {
    var template = Array("\(parent)/usher-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw TestSupportError("no directory in \(parent): errno \(errno)")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Creates a directory in memory where that is possible, because such a file system accepts any time of a file; others clamp it.
  public static func inMemory() throws(TestSupportError) -> TemporaryDirectory {
    try TemporaryDirectory(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
  }

  /// Removes the directory; reports one that cannot be removed, such as one with a file system in it.
  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      guard FileManager.default.fileExists(atPath: path) else { return }
      FileHandle.standardError.write(Data("cannot remove \(path): \(error)\n".utf8))
    }
  }

  /// Sets the modification time of a file to the earliest one that its file system accepts.
  public static func setEarliestTime(of file: String) throws(TestSupportError) {
    let earliest = timespec(tv_sec: .min, tv_nsec: 0)
    guard utimensat(AT_FDCWD, file, [earliest, earliest], 0) == 0 else {
      throw TestSupportError("no time of \(file): errno \(errno)")
    }
  }

  /// Writes a file, and creates its parent directories; `path` is relative to this directory.
  ///
  /// Returns the absolute path.
  @discardableResult
  public func write(
    _ text: String, to path: String, permissions: Int = 0o644
  ) throws(TestSupportError) -> String {
    let file = "\(self.path)/\(path)"
    do {
      try FileManager.default.createDirectory(
        atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file)
    } catch {
      throw TestSupportError("cannot write \(file): \(error)")
    }
    if permissions & 0o111 != 0 { try waitUntilNoProcessWrites(file) }
    return file
  }

  /// Creates a directory below this one, mode 0700.
  ///
  /// Returns the absolute path.
  @discardableResult
  public func makeDirectory(_ path: String) throws(TestSupportError) -> String {
    let directory = "\(self.path)/\(path)"
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw TestSupportError("cannot make \(directory): \(error)")
    }
    return directory
  }
}

extension FileManager {
  /// Copies a program, and returns when the copy can be executed.
  public func copyProgram(atPath source: String, toPath copy: String) throws {
    try copyItem(atPath: source, toPath: copy)
    try waitUntilNoProcessWrites(copy)
  }
}

/// Waits until a file can be executed.
///
/// A process that another thread forks inherits the open file until it executes its program, and the execution of a
/// file that is open for writing fails with ETXTBSY.
private func waitUntilNoProcessWrites(_ file: String) throws(TestSupportError) {
  var result = ctest_has_no_writer(file)
  while result == EAGAIN {
    usleep(1_000)
    result = ctest_has_no_writer(file)
  }
  guard result == 0 else { throw TestSupportError("no lease on \(file): errno \(result)") }
}
