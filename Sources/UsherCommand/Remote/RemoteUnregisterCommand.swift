// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus

/// The command `usher remote unregister`, which ends the registration of a scheme by another machine.
struct RemoteUnregisterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unregister",
    abstract: "Send links of a scheme no longer to the machine that has registered it.",
    discussion: HelpText.discussion(
      """
      Ends what usher remote register on a machine has begun, and leaves the machine connected. The command there ends with status 3. A link \
      that the program there has not answered is reported as unknown. The machine can register a scheme again after a minute, if the user \
      allows it.
      """,
      exit: [
        0: "success", 1: "a sandboxed application may not do this", 2: "no machine has registered the scheme",
        64: "the arguments are wrong", 69: "the broker cannot be reached",
      ],
      examples: ["End a registration": "usher remote unregister com.example.tool"]))

  @Argument(
    help: ArgumentHelp("End the registration of this scheme.", valueName: "scheme"),
    completion: Completions.remoteSchemes)
  var scheme: String

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let machine = try BrokerConnection.answer(onFailure: "cannot end the registration", json: json) {
      bus throws(BusError) in
      try bus.call(BrokerInterface.unregisterScheme, at: BrokerInterface.broker, scheme, [:])
    }
    guard !json else {
      return Console.emit(
        JSONText.line(["scheme": .string(scheme.lowercased()), "remote": .string(machine)]))
    }
    Console.print("\(scheme.lowercased()): links are not sent to the machine \(machine) any more")
  }
}
