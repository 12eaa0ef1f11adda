import DBus
import Glibc
import TestSupport

/// A broker that the test started by hand.
struct Broker: Sendable {
  let program: RunningProgram
  var pid: Int32 { program.processIdentifier }

  /// Stops it as a service manager does, and returns its log.
  ///
  /// Fails when it does not end with 0.
  func stop() async throws -> String {
    program.terminate()
    return try await program.waitUntilExit().orThrow().errorOutput
  }
}

extension Desk {
  /// Starts `usherd` by hand, and returns when it answers.
  func startBroker(adding variables: [String: String] = [:]) async throws -> Broker {
    let broker = Broker(
      program: try await RunningProgram.start(
        "usherd", environment: desktop.environment.merging(variables) { $1 }))
    let owner = try await connect()
    let names = try await owner.owners(of: "org.usher.Handler")
    let found = try await withDeadline(.seconds(60), "the broker's name") {
      await names.first { $0 != nil }
    }
    guard found != nil else { throw TestSupportError("the broker does not come up") }
    await owner.close()
    return broker
  }

  /// Kills whatever broker runs, in the middle of what it does, and returns when it has gone.
  func killBroker(_ signal: Int32 = SIGKILL) async throws {
    for pid in processes(of: "\(desktop.bin)/usherd") { try await end(pid, signal) }
  }
}
