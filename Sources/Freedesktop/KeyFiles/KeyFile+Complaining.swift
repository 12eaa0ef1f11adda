extension KeyFile {
  /// Something in the file that breaks the grammar, with its line.
  public struct Diagnostic: Hashable, Sendable {
    /// The number of the line, from 1.
    public let line: Int
    /// What is wrong there.
    public let kind: Kind

    /// What can be wrong with a line.
    public enum Kind: Hashable, Sendable {
      /// The file begins with a byte order mark.
      case byteOrderMark
      /// The line is no group header, no `key=value` and no comment.
      case notALine
      /// A key stands before the first group.
      case keyOutsideGroup
      /// A header's name is empty, or has a bracket or a control character.
      case invalidGroupName
      /// A key has an empty name, or a broken `[locale]`.
      case invalidKeyName
      /// `Encoding=` says something else than UTF-8.
      case unsupportedEncoding
      /// A header that stood before; both are read as one group.
      case duplicateGroup
      /// A key that stood before in its group; the last one holds.
      case duplicateKey
      /// The value is not UTF-8 and counts as absent.
      case notUTF8
    }
  }

  /// Everything that is wrong with the file, in the order of its lines: `faults`, and what GLib lets pass.
  public var diagnostics: [Diagnostic] {
    var diagnostics = faults
    var groups: Set<String> = []
    var keys: Set<[UInt8]> = []
    var current: String?
    for (index, line) in lines.enumerated() {
      func complain(_ kind: Diagnostic.Kind) {
        diagnostics.append(Diagnostic(line: number(ofLineAt: index), kind: kind))
      }
      switch line.content {
      case .group(let name):
        if !groups.insert(name).inserted { complain(.duplicateGroup) }
        current = name
      case .brokenGroup:
        current = nil
      case .pair(let key, let value):
        guard let current else { continue }
        if !keys.insert(Array(current.utf8) + [0] + line.bytes[key]).inserted { complain(.duplicateKey) }
        if String(validating: line.bytes[value], as: UTF8.self) == nil { complain(.notUTF8) }
      case .other:
        break
      }
    }
    return diagnostics.sorted { $0.line < $1.line }
  }
}

extension KeyFile.Diagnostic: CustomStringConvertible {
  /// The complaint as a sentence part, as `line 3 is no group, key or comment`.
  public var description: String {
    switch kind {
    case .byteOrderMark: "the file begins with a byte order mark"
    case .notALine: "line \(line) is no group, key or comment"
    case .keyOutsideGroup: "line \(line) has a key before the first group"
    case .invalidGroupName: "line \(line) has an invalid group name"
    case .invalidKeyName: "line \(line) has an invalid key name"
    case .unsupportedEncoding: "line \(line) asks for an encoding that is not UTF-8"
    case .duplicateGroup: "line \(line) opens a group for the second time"
    case .duplicateKey: "line \(line) sets a key for the second time"
    case .notUTF8: "line \(line) has a value that is not UTF-8"
    }
  }
}
