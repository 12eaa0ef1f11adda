import DBus
import Foundation
import Freedesktop
import Launching
import Systemd

// Starts what its standard input asks for, one JSON object a line, and tells what became of it, one JSON object
// a line: tests run it where there is a user manager, and where there is none.

/// One program to start.
struct Order: Decodable {
  var application: String
  var arguments: [String]
  var variables: [String: String]?
  var directory: String?
  /// Wait for the end and tell it.
  var waits: Bool?
  /// Ask it to end at once.
  var terminates: Bool?
  /// What to run by a shell once it has started.
  var then: String?
}

/// What became of it.
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

/// Starts a program and says how it went.
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
