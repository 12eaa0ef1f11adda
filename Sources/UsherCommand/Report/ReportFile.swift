// SPDX-License-Identifier: Apache-2.0
import FileOutput
import Glibc

/// The file of a report, which is written beside its place and renamed when it is complete.
///
/// Only the user can read it, because the history is private.
struct ReportFile: ~Copyable {
  /// The reason why a report cannot be written.
  enum Failure: Error, CustomStringConvertible {
    /// The file exists, and is not a report.
    case isNoReport(String)
    /// A system call failed.
    case cannotWrite(String, reason: String)

    var description: String {
      switch self {
      case .isNoReport(let path):
        "\(path) exists and is not a report, so it is not replaced; name another file, or remove it"
      case .cannotWrite(let path, let reason):
        "cannot write \(path): \(reason); name a file in a directory in which you can write"
      }
    }
  }

  private let path: String
  private let temporary: String
  private let descriptor: Int32
  private var waiting: [UInt8] = []
  private var isFinished = false

  /// The first text of a report by which it is recognized.
  static let mark = #"<meta name="generator" content="usher report">"#

  /// Creates the file beside `path`.
  ///
  /// - Throws: `isNoReport` if there is a file at `path` that is not a report.
  init(replacing path: String) throws(Failure) {
    // The file behind a symbolic link is replaced, and the link remains.
    let target =
      realpath(path, nil).map { pointer in
        defer { free(pointer) }
        return String(cString: pointer)
      } ?? path
    guard Self.mayBeReplaced(target) else { throw .isNoReport(path) }
    let temporary = target + ".\(getpid()).new"
    let descriptor = Glibc.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .cannotWrite(path, reason: String(cString: strerror(errno))) }
    (self.path, self.temporary, self.descriptor) = (target, temporary, descriptor)
  }

  deinit {
    close(descriptor)
    if !isFinished { unlink(temporary) }
  }

  /// Returns whether there is no file at `path`, or a report.
  private static func mayBeReplaced(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno == ENOENT }
    guard status.st_mode & S_IFMT == S_IFREG else { return false }
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    let start = [UInt8](unsafeUninitializedCapacity: 2_048) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, buffer.count))
    }
    return String(decoding: start, as: UTF8.self).contains(mark)
  }

  /// Writes a text.
  mutating func write(_ text: String) throws(Failure) {
    waiting += text.utf8
    if waiting.count > 1 << 18 { try flush() }
  }

  /// Writes JSON, in which `<` stands only in strings, so that no text can end the element of the page that contains it.
  mutating func write(json: String) throws(Failure) {
    waiting.reserveCapacity(waiting.count + json.utf8.count)
    for byte in json.utf8 {
      if byte == UInt8(ascii: "<") { waiting += #"\u003c"#.utf8 } else { waiting.append(byte) }
    }
    if waiting.count > 1 << 18 { try flush() }
  }

  /// Writes the rest, and gives the file its name.
  mutating func finish() throws(Failure) {
    try flush()
    guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw failure(errno) }
    isFinished = true
  }

  private mutating func flush() throws(Failure) {
    if let error = waiting.writeAll(to: descriptor) { throw failure(error) }
    waiting.removeAll(keepingCapacity: true)
  }

  private func failure(_ error: Int32) -> Failure {
    .cannotWrite(path, reason: String(cString: strerror(error)))
  }
}
