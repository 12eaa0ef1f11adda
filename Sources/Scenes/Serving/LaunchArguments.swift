// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Glibc

/// The arguments of a program, from which the URLs and documents to open are read.
///
/// - An argument that is a URL is opened.
/// - An argument that begins with `/`, `./` or `../`, or that names an existing file, is a document.
/// - An argument that begins with `-` is an option of the application, and so is every other argument.
/// - After `--`, every argument is a URL or a document.
///
/// Desktop Entry Specification, "The Exec key": for `%f`, `%F`, and in GIO for `%u` and `%U`, a launcher passes the path
/// of a local file.
struct LaunchArguments {
  private let arguments: [[UInt8]]
  /// The working directory, an absolute path.
  private let directory: [UInt8]

  /// Reads the arguments of a process; the bytes of its own arguments are those of the system.
  ///
  /// A path is bytes, which a `String` cannot represent if they are not UTF-8.
  ///
  /// - Parameter directory: the working directory; by default that of the process.
  init(_ arguments: [String], in directory: [UInt8] = Self.workingDirectory) {
    self.arguments = Self.bytes(of: arguments)
    self.directory = directory
  }

  private static var workingDirectory: [UInt8] {
    guard let path = getcwd(nil, 0) else { return [UInt8(ascii: "/")] }
    defer { free(path) }
    return bytes(at: path)
  }

  private static func bytes(at text: UnsafePointer<CChar>) -> [UInt8] {
    UnsafeBufferPointer(start: text, count: strlen(text)).map(UInt8.init(bitPattern:))
  }

  private static func bytes(of arguments: [String]) -> [[UInt8]] {
    guard arguments == Array(CommandLine.arguments.dropFirst()) else {
      return arguments.map { Array($0.utf8) }
    }
    return arguments.indices.compactMap { CommandLine.unsafeArgv[$0 + 1].map { bytes(at: $0) } }
  }

  /// The URLs, in order; that of a document is a file URL.
  var urls: [String] {
    var isAfterOptions = false
    var urls: [String] = []
    for argument in arguments where !argument.isEmpty {
      if !isAfterOptions, argument == Array("--".utf8) {
        isAfterOptions = true
      } else if !isAfterOptions, argument.starts(with: "-".utf8) {
        continue
      } else if let text = String(validating: argument, as: UTF8.self), URLParts(text) != nil {
        urls.append(text)
      } else if isAfterOptions || isPath(argument) {
        urls.append(fileURL(argument))
      }
    }
    return urls
  }

  private func isPath(_ argument: [UInt8]) -> Bool {
    ["/", "./", "../"].contains { argument.starts(with: $0.utf8) }
      || (absolute(argument) + [0]).withUnsafeBytes { path in
        path.baseAddress.map { access($0.assumingMemoryBound(to: CChar.self), F_OK) == 0 } ?? false
      }
  }

  private func absolute(_ path: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    return path.first == slash ? path : directory + (directory.last == slash ? [] : [slash]) + path
  }

  /// Returns the URL of a path, which may be relative to the working directory; RFC 8089.
  private func fileURL(_ path: [UInt8]) -> String {
    absolute(path).reduce(into: "file://") { url, byte in
      if Self.isUnescaped(byte) {
        url.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        url += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  /// Returns `true` for the characters of a path that GLib's `g_filename_to_uri` does not escape.
  private static func isUnescaped(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "/-._~!$&'()*+,:=@".utf8.contains(byte)
    }
  }
}

extension Envelope {
  /// Sets `open-in-place` for documents that a launcher passed itself.
  ///
  /// Neither a command line nor `org.freedesktop.Application` has such a flag, and both pass the document, not a copy.
  mutating func permitChangesOfDocuments() {
    if !urls.isEmpty, urls.allSatisfy({ $0.lowercased().hasPrefix("file:") }) { openInPlace = true }
  }
}
