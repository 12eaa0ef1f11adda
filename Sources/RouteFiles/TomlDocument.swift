// SPDX-License-Identifier: Apache-2.0
internal import CToml
internal import RouteTables

/// A parsed TOML text; its values are valid as long as it exists.
package final class TomlDocument {
  /// The error in a text that is not TOML.
  package struct Failure: Error {
    package let message: String
    package let line: Int
    package let column: Int
  }

  private let document: OpaquePointer
  private let rootValue: UnsafePointer<ctoml_value>
  /// The file's name in all locations.
  let file: String
  private let lines: [Substring.UnicodeScalarView]
  /// The last position that was looked up: line, column, index.
  private var cursor: (line: Int, column: Int, index: String.Index)?

  /// Parses `text`, the content of `file`.
  package init(_ text: String, file: String) throws(Failure) {
    var copy = text
    let parsed = copy.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { ctoml_parse($0.baseAddress, $0.count) }
    }
    guard let parsed else {
      throw Failure(message: "not enough memory to read the file", line: 1, column: 1)
    }
    guard let root = ctoml_root(parsed) else {
      var (line, column): (UInt32, UInt32) = (1, 1)
      let message = String(ctoml_error(parsed, &line, &column))
      ctoml_free(parsed)
      throw Failure(
        message: Self.isAtEnd(of: Int(line), in: text, column: Int(column))
          && message.contains("control character")
          ? "a string is not closed in its line: add the quotation mark at its end" : message,
        line: Int(line), column: Int(column))
    }
    document = parsed
    rootValue = root
    self.file = file
    // Split by scalars, because CR LF is one character, which is not equal to LF.
    lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
  }

  deinit { ctoml_free(document) }

  /// Returns whether a column is behind the last character of a line.
  private static func isAtEnd(of line: Int, in text: String, column: Int) -> Bool {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(line - 1) else { return false }
    let line = lines[line - 1]
    return column > line.count - (line.last == "\r" ? 1 : 0)
  }

  /// The table of the whole document.
  package var root: TomlValue { TomlValue(rootValue, in: self) }

  /// Returns the location of the first character of a string's content; `nil` if the file does not contain it verbatim.
  func start(of content: String, quotedAt location: SourceLocation) -> SourceLocation? {
    guard lines.indices.contains(location.line - 1) else { return nil }
    let line = lines[location.line - 1]
    // Locations are mostly looked up from left to right, so the last one is cached: a long line is not counted from
    // its start each time.
    if cursor?.line != location.line || cursor?.column ?? 0 > location.column {
      cursor = (location.line, 0, line.startIndex)
    }
    guard let from = cursor,
      let index = line.index(from.index, offsetBy: location.column - from.column, limitedBy: line.endIndex)
    else { return nil }
    cursor = (location.line, location.column, index)
    guard line[index...].starts(with: content.unicodeScalars) else { return nil }
    return SourceLocation(file: file, line: location.line, column: location.column + 1)
  }
}

extension String {
  /// Decodes the bytes of a C text.
  init(_ text: ctoml_text) {
    self = UnsafeBufferPointer(start: text.bytes, count: text.length)
      .withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
  }
}
