// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop
import Glibc

/// A problem on this machine: the file and line, a message, and the command that fixes it.
struct Finding: Hashable {
  /// The name of the check, such as `entry`.
  let check: String
  /// The problem and its consequence.
  let message: String
  /// The file, if there is one.
  var file: String?
  /// The line number in the file.
  var line: Int?
  /// The command that fixes the problem.
  let command: String
  /// The change that `usher doctor --fix` makes; `nil` if the user has to fix the problem.
  var repair: Repair?

  /// The finding as one line, even if a name contains a line break: the location, the message and the command.
  var text: StyledText {
    let place = file.map { $0 + (line.map { ":\($0)" } ?? "") + ":" }
    let what: StyledText = "\(message); to fix it: \(command, as: .heading)"
    let text: StyledText = place.map { "\($0, as: .bad) \(what)" } ?? what
    return text.inOneLine
  }

  /// The keys for JSON: `check` s, `message` s, `command` s, `fixable` b; `file` s and `line` x if known.
  var entries: [String: Variant] {
    var entries: [String: Variant] = [
      "check": .string(check), "message": .string(message), "command": .string(command),
      "fixable": .boolean(repair != nil),
    ]
    entries["file"] = file.map { .string($0) }
    entries["line"] = line.map { .int64(Int64($0)) }
    return entries
  }
}

/// Quoting and building of shell commands.
enum Shell {
  /// Returns text quoted as one word for a shell.
  static func word(_ text: String) -> String { ShellWord.quoted(text) }

  /// Returns a command of the given words, quoted.
  static func command(_ words: String...) -> String { command(words) }

  /// Returns a command of the given words, quoted.
  static func command(_ words: [String]) -> String { words.map(word).joined(separator: " ") }

  /// Returns the command that opens a file in an editor, at a line unless only root may write the file; the page of `usher report` has the same.
  static func edit(_ file: String, at line: Int?) -> String {
    if file.hasPrefix("/etc/"), geteuid() != 0 { return command("sudoedit", file) }
    return (["editor"] + (line.map { ["+\($0)"] } ?? []) + [word(file)]).joined(separator: " ")
  }
}
