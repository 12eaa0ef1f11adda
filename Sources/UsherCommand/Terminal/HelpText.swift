/// What a command's help says below its abstract: prose, what it exits with, and commands to try.
///
/// The man pages are made of the same text, so its sections keep to one form: a heading of its own line, then rows that are
/// indented by two.
enum HelpText {
  /// The text of `discussion`.
  ///
  /// - Parameters:
  ///   - exit: each exit status, and what it means.
  ///   - examples: what a command does, and the command, which works as it stands.
  static func discussion(
    _ prose: String, exit: KeyValuePairs<Int32, String>, examples: KeyValuePairs<String, String>
  ) -> String {
    guard !isUnread else { return "" }
    let statuses = exit.flatMap { status, meaning in
      wrap(meaning, first: pad("  \(status)", to: indent), next: pad("", to: indent))
    }
    let commands = examples.flatMap { purpose, command in ["  \(purpose):", "    \(command)"] }
    return ([prose, "", "EXIT STATUS:"] + statuses + ["", "EXAMPLES:"] + commands).joined(separator: "\n")
  }

  /// Whether nobody asks for help: the parser looks at what every command says of itself, whichever is called, and a link is
  /// not to wait for half a millisecond of words that nobody reads.
  ///
  /// A word alone may be a group of commands, which answers with its help.
  private static let isUnread: Bool = {
    let words = CommandLine.arguments.dropFirst()
    return words.count > 1 && words.first != "help"
      && !words.contains { ["-h", "--help", "--experimental"].contains(where: $0.hasPrefix) }
  }()

  /// No line of a section is longer, so that it stands as it is where the help is wrapped.
  static let width = 80
  private static let indent = 6

  private static func wrap(_ text: String, first: String, next: String) -> [String] {
    var lines: [String] = []
    var line = first
    for word in text.split(separator: " ") {
      if line.utf8.count + word.utf8.count > width, line.utf8.count > indent {
        lines.append(String(line.dropLast()))
        line = next
      }
      line += word + " "
    }
    return lines + [String(line.dropLast())]
  }

  private static func pad(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.utf8.count))
  }
}
