import ArgumentParser
import BusInterfaces
import Glibc

/// The command: what people use in place of `xdg-open`, `xdg-mime` and guesswork.
@main
struct Usher: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "usher",
    abstract: "Shows every link to its seat: opens URLs, and says which application opens what and why.",
    version: "usher \(UsherVersion.text)",
    subcommands: [AnswerCommand.self],
    groupedSubcommands: [
      CommandGroup(
        name: "Links",
        subcommands: [OpenCommand.self, ExplainCommand.self, HistoryCommand.self, MonitorCommand.self]),
      CommandGroup(
        name: "Schemes",
        subcommands: [
          HandlersCommand.self, RegisterCommand.self, UnregisterCommand.self, DoctorCommand.self,
        ]),
      CommandGroup(name: "Applications", subcommands: [ListenCommand.self]),
      CommandGroup(name: "Rules", subcommands: [RoutesCommand.self, GrantsCommand.self]),
    ])

  static func main() {
    let arguments = CommandLine.arguments
    if let program = arguments.first, XDGOpen.isName(ofProgram: program) {
      Glibc.exit(XDGOpen.carryOut(XDGOpen.Call(Array(arguments.dropFirst()))).rawValue)
    }
    main(nil)
  }
}
