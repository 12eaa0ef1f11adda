// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport

/// A desktop with a bus, on which Usher is installed, with helpers for tests.
struct InstalledDesktop: Sendable {
  /// The limit of tests that work at once, without those that only wait for a deadline.
  private static let semaphore = Semaphore(4)

  let desktop: ThrowAwayDesktop
  let bus: PrivateBus

  /// Creates a desktop, runs `body`, and terminates all of its processes.
  ///
  /// With `needsPermit: false` the test does not count for the limit, because it only waits.
  static func with(
    needsPermit: Bool = true, _ body: @Sendable (InstalledDesktop) async throws -> Void
  ) async throws {
    if needsPermit { try await semaphore.withPermit { try await set(body) } } else { try await set(body) }
  }

  private static func set(_ body: @Sendable (InstalledDesktop) async throws -> Void) async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      try desktop.installUsher()
      try await body(InstalledDesktop(desktop: desktop, bus: bus))
    }
  }

  /// Runs a program of the desktop until it exits.
  @discardableResult
  func run(
    _ program: String, _ arguments: [String] = [], adding variables: [String: String] = [:]
  ) async throws -> CommandResult {
    try await Command.run(
      program, arguments, environment: desktop.environment.merging(variables) { $1 })
  }

  /// Runs `usher` with these arguments.
  @discardableResult
  func usher(_ arguments: String...) async throws -> CommandResult { try await run("usher", arguments) }

  /// Runs `usher open --json` with these arguments, and returns the parsed report; on a slow machine it waits longer.
  func open(_ arguments: String...) async throws -> OpenReport {
    let limit = arguments.contains("--timeout") ? [] : ["--timeout", timeLimit(20)]
    return try OpenReport(try await run("usher", ["open", "--json"] + limit + arguments))
  }

  /// Calls a method with busctl.
  func call(_ place: [String], _ member: String, _ arguments: String...) async throws -> CommandResult {
    try await run("busctl", ["--user", "--json=short", "call"] + place + [member] + arguments)
  }

  static let broker = ["org.usher.Broker1", "/org/usher/Broker1", "org.usher.Broker1"]
  static let handler = ["org.usher.Handler", "/org/usher/Handler", "org.freedesktop.Application"]

  /// Returns the process IDs of the programs that were started as `path`.
  func processes(of path: String) -> [Int32] {
    desktop.processes.filter { $0.arguments.contains(path) }.map(\.processIdentifier)
  }

  /// Returns a connection of the test's own.
  func connect() async throws -> BusConnection { try await BusConnection.open(.address(bus.address)) }
}

/// The output and the exit status of `usher open --json`.
struct OpenReport: CustomStringConvertible {
  let status: Int32?
  let receipt: PropertyList
  let description: String

  init(_ result: CommandResult) throws {
    status = result.status
    description = "\(result)"
    receipt = try PropertyList(json: result.output.isEmpty ? "{}" : result.output)
  }

  var outcome: String? { receipt["outcome"]?.string }
  /// The error name without `org.usher.Error.`.
  var error: String? {
    receipt["error"]?.string.map { $0.replacing("org.usher.Error.", with: "") }
  }
  var message: String { receipt["message"]?.string ?? "" }
  var first: PropertyList? { receipt["deliveries"]?.array?.first }
}
