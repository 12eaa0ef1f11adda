// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The message about invalid arguments, with a suggestion.
struct UsageError {
  /// The complete text for standard error.
  let text: String

  /// Creates the message.
  ///
  /// - Parameters:
  ///   - message: the parser's message, with the usage.
  ///   - words: the arguments after the program's name.
  init(_ message: String, of words: [String], to root: any ParsableCommand.Type = Usher.self) {
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if let unknown = Self.unknownCommand(words, below: root, mayBeOperand: true) {
      lines[0] = unknown
    } else if let first = lines.first {
      lines[0] = first.prefix(1).lowercased() + first.dropFirst()
      if lines[0].hasSuffix("is invalid for '--scheme <scheme>'") {
        lines[0] += ": a scheme is a letter followed by letters, digits, “+”, “-” and “.”, such as notes"
      }
      if !lines[0].hasPrefix("unknown option"), let typo = Self.mistypedOption(words, of: root) {
        lines[0] = typo
      }
    }
    text = lines.joined(separator: "\n")
  }

  /// Returns the message about an unknown subcommand; `nil` if the subcommands are known.
  ///
  /// - Parameter mayBeOperand: Whether a word may be an operand of the default subcommand, which the parser has read.
  static func unknownCommand(
    _ words: [String], below root: any ParsableCommand.Type = Usher.self, mayBeOperand: Bool = false
  ) -> String? {
    var command = root
    var path = name(of: root)
    for word in words {
      let known = command.configuration.subcommands
      guard !known.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
      guard let next = known.first(where: { name(of: $0) == word }) else {
        let diagnostic = "unknown command “\(path) \(word)”"
        let near = guess(word, path: path, names: known.filter { $0.configuration.shouldDisplay }.map(name))
        // The word may be an operand of the default, as in `usher notify org.example.Notes`.
        guard near != nil || !mayBeOperand || command.configuration.defaultSubcommand == nil else {
          return nil
        }
        return near.map { "\(diagnostic); did you mean “\($0)”?" } ?? diagnostic
      }
      command = next
      path += " " + word
    }
    return nil
  }

  /// Returns the message about a mistyped option that the parser did not report, because it reported a missing argument first.
  private static func mistypedOption(_ words: [String], of root: any ParsableCommand.Type) -> String? {
    var command = root
    for word in words {
      guard let next = command.configuration.subcommands.first(where: { name(of: $0) == word }) else { break }
      command = next
    }
    let help = Usher.helpMessage(
      for: command.configuration.defaultSubcommand ?? command, columns: HelpText.width)
    let known = help.split { !($0.isLetter || $0.isNumber || $0 == "-") }.filter { $0.hasPrefix("--") }
      .map(String.init)
    for word in words.prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
      let option = String(word.prefix { $0 != "=" })
      guard let near = Nearest.word(to: option, among: known) else { continue }
      return "unknown option '\(option)'. Did you mean '\(near)'?"
    }
    return nil
  }

  private static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? ""
  }

  /// The names that other programs use for the commands that have another one here.
  private static let synonyms = [
    "remove": "unregister", "delete": "unregister", "add": "register", "set-default": "register",
  ]

  private static func guess(_ word: String, path: String, names: [String]) -> String? {
    if !names.contains(word), let name = synonyms[word], names.contains(name) { return "\(path) \(name)" }
    if let near = Nearest.word(to: word, among: names + ["help"]) { return "\(path) \(near)" }
    let isLink = word.contains(":") || word.contains("/") || word.contains(".")
    return isLink && names.contains("open") ? Shell.command("usher", "open", word) : nil
  }
}
