// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Glibc
import RouteTables

/// The URLs of a file, one in each line.
struct URLLines {
  /// The reason why the file cannot be read.
  struct Unreadable: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String {
      "cannot read \(path): \(reason); name a file with one URL per line, or - for standard input"
    }
  }

  /// The URLs with their locations; `nil` for a line that is not UTF-8.
  let urls: [(place: SourceLocation, text: String?)]

  /// Creates the lines of URLs that are known.
  init(_ urls: [(place: SourceLocation, text: String?)]) { self.urls = urls }

  /// Reads a file; `-` is standard input.
  init(_ path: String) throws(Unreadable) {
    let name = path == "-" ? "standard input" : path
    let bytes = try path == "-" ? Self.standardInput() : Self.contents(of: path)
    var urls: [(place: SourceLocation, text: String?)] = []
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .enumerated()
    {
      // Blanks at both ends are ignored, including the `\r` of other systems.
      func isBlank(_ byte: UInt8) -> Bool { [0x09, 0x0D, 0x20].contains(byte) }
      let text = Array(line.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
      if text.isEmpty || text.first == UInt8(ascii: "#") { continue }
      urls.append((SourceLocation(file: name, line: number + 1), String(validating: text, as: UTF8.self)))
    }
    self.urls = urls
  }

  private static func contents(of path: String) throws(Unreadable) -> [UInt8] {
    switch LocalFiles().read(path) {
    case .bytes(let bytes): return bytes
    case .missing: throw Unreadable(path: path, reason: "the file does not exist")
    case .unreadable(let reason): throw Unreadable(path: path, reason: reason)
    }
  }

  private static func standardInput() throws(Unreadable) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw Unreadable(path: "standard input", reason: String(cString: strerror(errno)))
      }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }
}
