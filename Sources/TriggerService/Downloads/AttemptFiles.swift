// SPDX-License-Identifier: Apache-2.0
import DBus
import Glibc
import Systemd
import Triggers

/// The files of the attempts of a download in `$XDG_STATE_HOME/usher/downloads`, which only the user can read.
struct AttemptFiles: Sendable {
  /// The maximum length of the response headers that are read, in bytes; curl accepts at most 300 KiB for a response.
  private static let longestDump = 4 << 20

  private let directory: String
  private let id: String

  init(in directory: String, of id: String) {
    self.directory = directory
    self.id = id
  }

  /// The path of the file with the response headers.
  private var headersPath: String { "\(directory)/\(id).headers" }

  /// The open files of an attempt.
  struct Opened: Sendable {
    /// The files for curl.
    let files: CurlRunner.Files
    /// The number of the partial file.
    let inode: UInt64
    /// A Boolean value that is `true` if the partial file has what was received; otherwise it is empty.
    let hasPart: Bool
  }

  /// Opens the partial file of a download, and creates the other files of a new attempt.
  ///
  /// - Parameter stall: The time after which a server that sends nothing is given up, in seconds.
  func open(for download: Download, stall: Int) -> Result<Opened, DownloadFailure> {
    let part = download.part
    let needed = part.total.map { max(0, $0 - part.count) } ?? DownloadLimits.reserve
    return download.file.openForAppending(after: part.count, needing: needed).flatMap {
      output, inode, hasPart in
      var configuration = CurlConfiguration(
        request: download.request, part: hasPart ? part : PartialFile())
      configuration.stall = stall
      return create(configuration.text).map { configuration, headers in
        let files = CurlRunner.Files(
          output: output, configuration: configuration, headers: headers, headersPath: headersPath)
        return Opened(files: files, inode: inode, hasPart: hasPart)
      }
    }
  }

  /// Creates the files with the configuration and for the response headers.
  private func create(
    _ configuration: String
  ) -> Result<(configuration: UnixFD, headers: UnixFD), DownloadFailure> {
    mkdir(directory, 0o700)
    let path = "\(directory)/\(id).configuration"
    // The file has no name any more before it has any content, so that it is never left behind.
    let writing = create(path, O_RDWR)
    guard let writing else { return .failure(failure(path)) }
    let reading = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard reading >= 0 else { return .failure(failure(path)) }
    let input = UnixFD(owning: reading)
    unlink(path)
    let bytes = Array(configuration.utf8)
    guard write(writing.rawValue, bytes, bytes.count) == bytes.count else { return .failure(failure(path)) }
    guard let headers = create(headersPath, O_WRONLY | O_APPEND) else {
      return .failure(failure(headersPath))
    }
    return .success((input, headers))
  }

  private func create(_ path: String, _ flags: Int32) -> UnixFD? {
    let file = Glibc.open(path, flags | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    return file < 0 ? nil : UnixFD(owning: file)
  }

  private func failure(_ path: String) -> DownloadFailure {
    DownloadFailure(.disk, "cannot write \(path): \(String(cString: strerror(errno)))")
  }

  /// Returns the response headers of the last attempt.
  func headers() -> [UInt8] {
    let file = Glibc.open(headersPath, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < Self.longestDump {
      let count = read(file, &block, block.count)
      guard count > 0 else { break }
      bytes += block[..<count]
    }
    return bytes
  }

  /// Removes the files.
  func remove() { unlink(headersPath) }
}
