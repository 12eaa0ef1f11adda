import BusInterfaces
import DBus
import Foundation
import Glibc
import TestSupport
import Testing

/// A broker that the test started by hand.
struct Broker: Sendable {
  let program: RunningProgram
  var pid: Int32 { program.processIdentifier }

  /// A figure of its memory in KiB, by its name in `/proc/PID/status`.
  func memory(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("\(name):") })
    return try #require(Int(line.filter(\.isNumber)))
  }

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
    let found = try await withDeadline(Command.defaultDeadline, "the broker's name") {
      await names.first { $0 != nil }
    }
    guard found != nil else { throw TestSupportError("the broker does not come up") }
    await owner.close()
    return broker
  }

  /// Returns when the number of the parts of requests that are under way is as it should be.
  func waitUntilPending(_ isRight: @escaping @Sendable (UInt32) -> Bool) async throws {
    let caller = try await connect()
    try await withDeadline(Command.defaultDeadline, "the requests to be as far") {
      while true {
        let status = try await caller.call(BrokerInterface.status, at: BrokerInterface.broker)
        if case .uint32(let pending)? = status["pending"], isRight(pending) { return }
      }
    }
    await caller.close()
  }

  /// Kills the broker while it waits for the answer of an application with the standard interface.
  ///
  /// Returns what the caller was told; fails if that is not `unknown`, or if the next broker sends it again.
  func killBrokerWhileItSends() async throws -> OpenReport {
    let application = try await BusApplication.install(.silent, .standard, on: self)
    async let waiting = open("mimic:1")
    #expect(try await application.nextCall()["urls"] == ["mimic:1"])
    try await killBroker()
    let report = try await waiting
    #expect(report.status == 5)
    #expect(report.outcome == "unknown")
    _ = try await open("--timeout", "1", "mimic:2")
    #expect(try await application.nextCall()["urls"] == ["mimic:2"])
    return report
  }

  /// Kills whatever broker runs, in the middle of what it does, and returns when it has gone.
  func killBroker(_ signal: Int32 = SIGKILL) async throws {
    for pid in processes(of: "\(desktop.bin)/usherd") { try await end(pid, signal) }
  }
}
