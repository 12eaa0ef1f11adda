// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

@testable import Scenes

/// A bus for applications on `Scenes`, a broker and other connections, all in the test's process.
struct Stage: Sendable {
  static let id = "org.example.Stage-App"
  static let name: BusName = "org.example.Stage-App"

  let address: BusAddress
  /// The runtime directory; `nil` by default, because the applications of all tests have one name.
  var runtimeDirectory: String?
  static func withStage(_ body: @Sendable (Stage) async throws -> Void) async throws {
    try await ThrowAwayDesktop.withBus { _, bus in
      try await body(Stage(address: .address(bus.address)))
    }
  }

  /// Returns a new connection.
  func connect() async throws -> BusConnection { try await BusConnection.open(address) }

  /// Returns a connection that owns the broker's name.
  func broker() async throws -> BusConnection {
    let bus = try await connect()
    #expect(try await bus.requestName(BrokerInterface.busName) == .owned)
    return bus
  }

  /// Starts an application, and returns when it owns its name.
  func start(
    arguments: [String] = [], terminationSignals: [Int32] = [],
    preparing: @escaping @concurrent @Sendable () async throws -> Void = {},
    _ handler: @escaping @concurrent @Sendable (SceneRequest) async throws -> SceneResult
  ) async throws -> RunningApplication {
    try await started(
      run(arguments: arguments, terminationSignals: terminationSignals, preparing: preparing, handler))
  }

  /// Starts an application with `run`, and returns when it owns its name.
  func started(
    _ run: @escaping @Sendable () async throws -> SceneApplication.RunResult
  ) async throws -> RunningApplication {
    try await started(Task { try await run() })
  }

  /// Starts an application in one of UIKit's flows, and returns when it owns its name.
  func start(
    _ start: Play.Start,
    _ run: @escaping @Sendable (SceneApplication) async throws -> SceneApplication.RunResult
  ) async throws -> RunningApplication {
    var application = application
    application.processStart = start.processStart
    return try await started { [application] in try await run(application) }
  }

  private func started(
    _ running: Task<SceneApplication.RunResult, any Error>
  ) async throws -> RunningApplication {
    let observer = try await connect()
    let owners = try await observer.owners(of: Self.name)
    let owner = try await withDeadline(Command.defaultDeadline, "the application's name") {
      await owners.first { $0 != nil } ?? nil
    }
    return RunningApplication(uniqueName: try #require(owner), run: running)
  }

  /// An application on this bus that stores nothing and handles no signals.
  var application: SceneApplication {
    var application = SceneApplication(Self.id)
    application.bus = address
    application.arguments = []
    application.runtimeDirectory = runtimeDirectory
    application.stateDirectory = nil
    application.terminationSignals = []
    return application
  }

  /// Runs an application that may return at once.
  func run(
    arguments: [String] = [], terminationSignals: [Int32] = [],
    preparing: @escaping @concurrent @Sendable () async throws -> Void = {},
    _ handler: @escaping @concurrent @Sendable (SceneRequest) async throws -> SceneResult
  ) -> Task<SceneApplication.RunResult, any Error> {
    var application = application
    application.arguments = arguments
    application.terminationSignals = terminationSignals
    return Task { [application] in try await application.run(preparing: preparing, handler) }
  }
}

struct RunningApplication: Sendable {
  static let path: ObjectPath = "/org/example/Stage_App"

  let uniqueName: BusName
  let run: Task<SceneApplication.RunResult, any Error>

  var object: RemoteObject { RemoteObject(uniqueName, Self.path) }

  /// Delivers an envelope from the connection `bus`.
  func deliver(_ envelope: Envelope, from bus: BusConnection) async throws -> Reply {
    try Reply(
      await bus.call(
        Application1Interface.deliver, at: object, envelope.entries, timeout: Command.defaultDeadline))
  }

  /// Opens URLs through the standard interface.
  func open(_ urls: [String], _ data: [String: Variant] = [:], from bus: BusConnection) async throws {
    try await bus.call(ApplicationInterface.open, at: object, urls, data, timeout: Command.defaultDeadline)
  }

  /// Stops the application, and returns the reason for the end of its run.
  @discardableResult
  func end() async throws -> SceneApplication.RunResult {
    run.cancel()
    let run = run
    return try await withDeadline(Command.defaultDeadline, "the application's end") { try await run.value }
  }
}

/// A sender of requests that does not wait for replies, in the order of the calls.
actor Courier {
  private let bus: BusConnection
  private let application: RunningApplication

  init(_ bus: BusConnection, to application: RunningApplication) {
    self.bus = bus
    self.application = application
  }

  /// Sends a request, and returns a task with the reply.
  func send(_ requestID: String, _ url: String) -> Task<Reply, any Error> {
    send(Envelope(requestID: requestID, urls: [url]))
  }

  /// Sends a request, and returns a task with the reply.
  func send(_ envelope: Envelope) -> Task<Reply, any Error> {
    // Tasks that inherit an actor start in the order of their creation.
    Task {
      _ = self
      return try await application.deliver(envelope, from: bus)
    }
  }

  /// Waits until the application has received all earlier messages, which the bus keeps in order.
  func arrive() async throws {
    try await Task {
      _ = self
      try await bus.call(
        Application1Interface.cancel, at: application.object, "unknown", timeout: Command.defaultDeadline)
    }.value
  }
}
