// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import Glibc
import TestSupport
import Testing

/// A broker that the test started directly.
struct Broker: Sendable {
  let program: RunningProgram
  var pid: Int32 { program.processIdentifier }

  /// Returns a memory value in KiB, by its key in `/proc/PID/status`.
  func memory(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("\(name):") })
    return try #require(Int(line.filter(\.isNumber)))
  }

  /// Stops the broker as a service manager does, and returns its log.
  ///
  /// Fails if it does not exit with 0.
  func stop() async throws -> String {
    program.terminate()
    return try await program.waitUntilExit().orThrow().errorOutput
  }

  /// Kills the broker, and waits until it has exited.
  func kill() async {
    program.kill()
    _ = await program.waitUntilExit()
  }
}

extension InstalledDesktop {
  /// Prolongs the broker's limits for the responses and starts of other programs, so that they do not expire during a test.
  static let longLimits = ["USHER_TEST_TIMEOUT_FACTOR": "\(100 * timeoutFactor)"]

  /// Starts `usherd` directly, and waits until it answers.
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

  /// Waits until the number of pending parts of requests satisfies a condition.
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
  /// Returns the caller's report; fails if the outcome is not `unknown`, or if the next broker sends the request again.
  func killBrokerWhileItSends() async throws -> OpenReport {
    let application = try await BusApplication.install(.silent, .standard, on: self)
    async let waiting = open("mimic:1")
    #expect(try await application.nextCall()["urls"] == ["mimic:1"])
    try await killBroker()
    let report = try await waiting
    #expect(report.status == 5)
    #expect(report.outcome == "unknown")
    _ = try await open("--timeout", timeLimit(5), "mimic:2")
    #expect(try await application.nextCall()["urls"] == ["mimic:2"])
    return report
  }

  /// Waits until a broker that was asked to exit begins to, when it closes its socket.
  func waitUntilStopping() async throws {
    let directory = "\(desktop.runtimeDirectory)/usher"
    try await withDeadline(Command.defaultDeadline, "the broker to begin its exit") {
      while try FileManager.default.contentsOfDirectory(atPath: directory).contains(where: {
        $0.hasPrefix("open")
      }) {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
  }

  /// Kills the running broker, and waits for its exit.
  ///
  /// Fails if none runs, because a test of the next broker would then test the first one; with `ifAny` it need not run.
  func killBroker(
    _ signal: Int32 = SIGKILL, ifAny: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let brokers = processes(of: "\(desktop.bin)/usherd")
    try #require(ifAny || !brokers.isEmpty, "no broker runs", sourceLocation: sourceLocation)
    for pid in brokers { try await end(pid, signal) }
  }
}
