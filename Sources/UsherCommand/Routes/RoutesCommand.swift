// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The command `usher routes`, which shows and checks route files.
struct RoutesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "routes",
    abstract: "Check, test, compare, draw and import route files; match, explain and generate URLs.",
    discussion: HelpText.discussion(
      """
      Route files are TOML. The arguments name files or directories; without file arguments, the commands except diff and import read the user's directory, \
      $XDG_CONFIG_HOME/usher/routes.
      """,
      exit: [
        0: "success",
        1: "no route matches, a test fails, a URL changes, a route is not reached, or a file has errors",
        2: "check: warnings, but no error", 64: "the arguments are wrong",
        65: "the argument is not a URL", 66: "a file cannot be read",
      ],
      examples: [
        "Check your route files": "usher routes check",
        "Run the tests in a file": "usher routes test ./notes.toml",
        "Show which route a link matches": "usher routes match notes://note/7",
        "Show why it matches that route or none": "usher routes explain notes://note/7",
        "Generate a link for a route": "usher routes generate note id=7",
        "Show which routes some links reach": "usher routes coverage links.txt",
        "Draw the routes": "usher routes graph",
        "Show which links a changed file would route differently": "usher routes diff notes.toml new.toml",
        "Make routes from a Finicky configuration": "usher routes import finicky finicky.js",
      ]),
    subcommands: [
      RoutesCheckCommand.self, RoutesTestCommand.self, RoutesMatchCommand.self, RoutesExplainCommand.self,
      RoutesGenerateCommand.self, RoutesCoverageCommand.self, RoutesGraphCommand.self,
      RoutesDiffCommand.self, RoutesImportCommand.self,
    ])
}
