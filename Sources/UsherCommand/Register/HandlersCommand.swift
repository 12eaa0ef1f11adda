import ArgumentParser

/// The command `usher handlers`, which lists every scheme with its application.
struct HandlersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handlers",
    abstract:
      "Lists the schemes of this desktop: which application opens each, since when, and who else could.",
    discussion: HelpText.discussion(
      """
      “Since” is when it was registered, or when the list was last changed that decides; “by” is that list and its line, where it is not \
      your own. “usher explain URL” says \
      why, “usher doctor” what is wrong.
      """,
      exit: [0: "they were listed", 64: "the command was called in a wrong way"],
      examples: ["List them": "usher handlers", "For a program": "usher handlers --json"]))

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() {
    HandlersInvocation(json: json).carryOut()
  }
}
