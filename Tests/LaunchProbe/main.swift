// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import Freedesktop
import Launching
import Systemd

// Starts the programs that standard input describes, one JSON object in each line, and prints the outcomes in the same
// form. Tests run it with and without a user manager.

/// A program to start.
struct Order: Decodable {
  var application: String
  var arguments: [String]
  var variables: [String: String]?
  var directory: String?
  /// Waits for the exit, and reports it.
  var waits: Bool?
  /// Asks the program to terminate at once.
  var terminates: Bool?
  /// A shell command to run after the start.
  var then: String?
}

/// The outcome of a start.
struct Outcome: Encodable {
  var started: String?
  var failed: String?
  var ended: String?
}

let loop = EventLoop.shared
let bus = CommandLine.arguments.contains("--no-bus") ? nil : try await BusConnection.open(.user, on: loop)
let launcher = ProgramLauncher(bus: bus, on: loop)
let encoder = JSONEncoder()
encoder.outputFormatting = .sortedKeys

/// Starts a program, and returns the outcome.
func carryOut(_ order: Order) async -> Outcome {
  let launch = Launch(
    application: order.application, title: "A title: 100 % “ü”",
    arguments: order.arguments.map { ProgramArgument($0) },
    variables: order.variables ?? [:], workingDirectory: order.directory)
  do {
    let program = try await launcher.start(launch)
    var outcome = Outcome(started: program.description)
    if let script = order.then {
      let shell = try ChildProcess(
        ProcessConfiguration(
          executable: "/bin/sh", arguments: ["sh", "-c", script],
          environment: ProcessInfo.processInfo.environment), on: loop)
      _ = await shell.exitStatus()
    }
    if order.terminates == true { await program.terminate() }
    if order.waits == true { outcome.ended = await program.exitStatus().map { "\($0)" } ?? "unknown" }
    return outcome
  } catch {
    return Outcome(failed: "\(error)")
  }
}

while let line = readLine() {
  let order = try JSONDecoder().decode(Order.self, from: Data(line.utf8))
  let outcome = await carryOut(order)
  print(String(decoding: try encoder.encode(outcome), as: UTF8.self))
}
