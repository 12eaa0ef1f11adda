import CTestSupport
import Foundation
import Glibc

/// A folder of its own for one test, removed with all in it when its last holder lets go.
public final class TemporaryDirectory: Sendable {
  /// The absolute path, short enough for sockets beneath it.
  public let path: String

  /// Makes the folder, mode 0700.
  public init() throws(TestSupportError) {
    var template = Array("/tmp/usher-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestSupportError("no folder in /tmp: errno \(errno)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, making the folders on its way; `path` is below this folder.
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
    if permissions & 0o111 != 0 { try waitUntilNobodyWrites(file) }
    return file
  }

  /// Waits until a file can be executed.
  ///
  /// A process that another thread starts has a copy of our open file until it executes its program, and as long
  /// as a file is open for writing its execution fails with ETXTBSY.
  private func waitUntilNobodyWrites(_ file: String) throws(TestSupportError) {
    var result = ctest_has_no_writer(file)
    while result == EAGAIN {
      usleep(1_000)
      result = ctest_has_no_writer(file)
    }
    guard result == 0 else { throw TestSupportError("no lease on \(file): errno \(result)") }
  }

  /// Makes a folder below this one, mode 0700.
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
