import BusInterfaces
import DBus

/// One thing that is wrong on this machine: what, where, and the command that mends it.
struct Finding: Hashable {
  /// Which check found it, as `entry`.
  let check: String
  /// What is wrong, and what comes of it.
  let message: String
  /// The file, where there is one.
  var file: String?
  /// The number of the line in it.
  var line: Int?
  /// What to type.
  let command: String

  /// `file:line: what; to mend it: command`, in one line whatever a name holds.
  var text: StyledText {
    let place = file.map { $0 + (line.map { ":\($0)" } ?? "") + ":" }
    let what: StyledText = "\(message); to mend it: \(command, as: .heading)"
    let text: StyledText = place.map { "\($0, as: .bad) \(what)" } ?? what
    return text.inOneLine
  }

  /// `check` s, `message` s, `command` s; `file` s and `line` x where there are.
  var entries: [String: Variant] {
    var entries: [String: Variant] = [
      "check": .string(check), "message": .string(message), "command": .string(command),
    ]
    entries["file"] = file.map { .string($0) }
    entries["line"] = line.map { .int64(Int64($0)) }
    return entries
  }
}

/// Commands as a person types them.
enum Shell {
  /// A word as it must be typed.
  static func word(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "/._-+:@%=,".utf8.contains(byte)
      }
    }
    if isPlain, !text.isEmpty { return text }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }

  /// A command of these words.
  static func command(_ words: String...) -> String { words.map(word).joined(separator: " ") }

  /// What opens a file at a line.
  static func edit(_ file: String, at line: Int?) -> String {
    (["editor"] + (line.map { ["+\($0)"] } ?? []) + [word(file)]).joined(separator: " ")
  }
}
