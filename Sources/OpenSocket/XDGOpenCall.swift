// SPDX-License-Identifier: Apache-2.0
/// A call of the command under the name `xdg-open`, with the arguments of xdg-open(1).
public enum XDGOpenCall: Equatable, Sendable {
  case open(String)
  case help
  case version
  /// Invalid arguments, with the reason.
  case syntax(String)

  /// Parses the words after the program's name.
  public init(_ words: [String]) {
    switch words.first {
    case "--help", "--manual": self = .help
    case "--version": self = .version
    case let word? where word.utf8.first == UInt8(ascii: "-"): self = .syntax("unexpected option '\(word)'")
    case let word? where words.count == 1 && !word.isEmpty: self = .open(word)
    case _? where words.count > 1: self = .syntax("unexpected argument '\(words[1])'")
    default: self = .syntax("file or URL argument missing")
    }
  }

  /// Returns `true` if a program that is called by this path is called `xdg-open`.
  public static func isName(ofProgram path: String) -> Bool {
    path.utf8.split(separator: UInt8(ascii: "/")).last?.elementsEqual("xdg-open".utf8) == true
  }
}
