import ArgumentParser

/// `usher routes`: what route files say, and whether they are right.
struct RoutesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "routes",
    abstract: "Checks and tests route files, and says which route a URL matches.",
    discussion: """
      Route files are TOML. Files and folders are named on the command line; without any, the user's own folder, \
      $XDG_CONFIG_HOME/usher/routes, is read. Exit status: 0 all is well, 1 no match or a complaint, 64 usage, \
      65 invalid URL, 66 unreadable file.
      """,
    subcommands: [RoutesCheckCommand.self, RoutesTestCommand.self, RoutesMatchCommand.self])
}
