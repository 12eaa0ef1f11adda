// SPDX-License-Identifier: Apache-2.0
import FileOutput
import Freedesktop
import Glibc

/// The file of a report, which is written beside its place and renamed when it is complete.
///
/// Only the user can read it, because the history is private. Its content is complete before the file is created, and signals wait until
/// the file has its name, because a signal would otherwise leave a part of it.
struct ReportFile {
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
  private var content: [UInt8] = []

  /// The first text of a report by which it is recognized.
  static let mark = #"<meta name="generator" content="usher report">"#

  /// Creates a report without content, which `finish()` writes to `path`, or to the target of a symbolic link there.
  ///
  /// - Throws: `isNoReport` if there is a file at `path` that is not a report; `cannotWrite` if its directory is not writable.
  init(replacing path: String) throws(Failure) {
    self.path = path
    try Self.checkReplaceable(path)
    // The content may take long.
    guard access(AtomicFile(path).directory, W_OK | X_OK) == 0 else {
      throw .cannotWrite(path, reason: String(cString: strerror(errno)))
    }
  }

  /// Throws an error unless there is no file at `path`, or a report.
  private static func checkReplaceable(_ path: String) throws(Failure) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT else { throw .cannotWrite(path, reason: String(cString: strerror(errno))) }
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .isNoReport(path) }
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .cannotWrite(path, reason: String(cString: strerror(errno))) }
    defer { close(file) }
    let start = [UInt8](unsafeUninitializedCapacity: 2_048) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, buffer.count))
    }
    guard String(decoding: start, as: UTF8.self).contains(mark) else { throw .isNoReport(path) }
  }

  /// Adds a text.
  mutating func write(_ text: String) { content += text.utf8 }

  /// Adds JSON, in which `<` stands only in strings, so that no text can end the element of the page that contains it.
  mutating func write(json: String) {
    for byte in json.utf8 {
      if byte == UInt8(ascii: "<") { content += #"\u003c"#.utf8 } else { content.append(byte) }
    }
  }

  /// Replaces the file by the content.
  func finish() throws(Failure) {
    do throws(FreedesktopError) {
      try withSignalsDeferred { () throws(FreedesktopError) in
        try AtomicFile(path).replace(with: content, mode: 0o600)
      }
    } catch {
      guard case .cannotWrite(_, let reason) = error else {
        throw .cannotWrite(path, reason: error.description)
      }
      throw .cannotWrite(path, reason: reason)
    }
  }
}
