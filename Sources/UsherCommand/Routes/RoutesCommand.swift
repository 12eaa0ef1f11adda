import ArgumentParser

/// The command `usher routes`, which shows and checks route files.
struct RoutesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "routes",
    abstract: "Checks, tests, compares and draws route files, says where a URL goes and why, and makes URLs.",
    discussion: HelpText.discussion(
      """
      Route files are TOML. Files and folders are named on the command line; without any, the user's own folder, \
      $XDG_CONFIG_HOME/usher/routes, is read.
      """,
      exit: [
        0: "all is well", 1: "no match, or a complaint", 64: "the command was called in a wrong way",
        65: "what was given is no URL", 66: "a file cannot be read",
      ],
      examples: [
        "Say what is wrong with your route files": "usher routes check",
        "Run the tests in a file": "usher routes test ./notes.toml",
        "Say which route a link takes": "usher routes match notes://note/7",
        "Say why it takes that one, or none": "usher routes explain notes://note/7",
        "Make the link of a route": "usher routes generate note id=7",
        "Say which routes some links reach": "usher routes coverage links.txt",
        "See the routes as a picture": "usher routes graph",
        "Say which links another file would send elsewhere": "usher routes diff notes.toml new.toml",
      ]),
    subcommands: [
      RoutesCheckCommand.self, RoutesTestCommand.self, RoutesMatchCommand.self, RoutesExplainCommand.self,
      RoutesGenerateCommand.self, RoutesCoverageCommand.self, RoutesGraphCommand.self,
      RoutesDiffCommand.self,
    ])
}
