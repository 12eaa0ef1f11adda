// SPDX-License-Identifier: Apache-2.0
extension KeyFile {
  /// A line of the file that breaks the grammar.
  public struct Diagnostic: Hashable, Sendable {
    /// The number of the line, from 1.
    public let line: Int
    /// The kind of error.
    public let kind: Kind

    /// An error in a line.
    public enum Kind: Hashable, Sendable {
      /// The file begins with a byte order mark.
      case byteOrderMark
      /// The line is not a group header, `key=value` or a comment.
      case notALine
      /// A key precedes the first group.
      case keyOutsideGroup
      /// The name in a header is empty, or contains a bracket or a control character.
      case invalidGroupName
      /// The name of a key is empty, or its `[locale]` is invalid.
      case invalidKeyName
      /// The value of `Encoding` is not UTF-8.
      case unsupportedEncoding
      /// A header that occurred before; both are read as one group.
      case duplicateGroup
      /// A key that occurred before in its group; the last one has effect.
      case duplicateKey
      /// The value is not UTF-8 and counts as absent.
      case notUTF8
    }
  }

  /// All diagnostics of the file, in the order of its lines: `fatalDiagnostics`, and errors that GLib ignores.
  public var diagnostics: [Diagnostic] {
    var diagnostics = fatalDiagnostics
    var groups: Set<String> = []
    var keys: Set<[UInt8]> = []
    var current: String?
    for (index, line) in lines.enumerated() {
      func add(_ kind: Diagnostic.Kind) {
        diagnostics.append(Diagnostic(line: number(ofLineAt: index), kind: kind))
      }
      switch line.content {
      case .group(let name):
        if !groups.insert(name).inserted { add(.duplicateGroup) }
        current = name
      case .brokenGroup:
        current = nil
      case .pair(let key, let value):
        guard let current else { continue }
        if !keys.insert(Array(current.utf8) + [0] + line.bytes[key]).inserted { add(.duplicateKey) }
        if String(validating: line.bytes[value], as: UTF8.self) == nil { add(.notUTF8) }
      case .other:
        break
      }
    }
    return diagnostics.sorted { $0.line < $1.line }
  }
}

extension KeyFile.Diagnostic: CustomStringConvertible {
  /// The diagnostic as a part of a sentence, such as `line 3 is no group, key or comment`.
  public var description: String {
    switch kind {
    case .byteOrderMark: "the file begins with a byte order mark"
    case .notALine: "line \(line) is not a group, key or comment"
    case .keyOutsideGroup: "line \(line) has a key before the first group"
    case .invalidGroupName: "line \(line) has an invalid group name"
    case .invalidKeyName: "line \(line) has an invalid key name"
    case .unsupportedEncoding: "line \(line) declares an encoding other than UTF-8"
    case .duplicateGroup: "line \(line) opens a group for the second time"
    case .duplicateKey: "line \(line) sets a key for the second time"
    case .notUTF8: "line \(line) has a value that is not UTF-8"
    }
  }
}
