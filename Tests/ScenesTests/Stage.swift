import BusInterfaces
import DBus
import TestSupport
import Testing

@testable import Scenes

/// A bus with room for applications on `Scenes`, a broker and strangers, all in the test's process.
struct Stage: Sendable {
  static let id = "org.example.Stage-App"
  static let name: BusName = "org.example.Stage-App"

  let address: BusAddress
  /// The session's folder; none, since all tests' applications have one name.
  var runtimeDirectory: String?
  static func withStage(_ body: @Sendable (Stage) async throws -> Void) async throws {
    try await ThrowAwayDesktop.withBus { _, bus in
      try await body(Stage(address: .address(bus.address)))
    }
  }

  /// A connection of its own.
  func connect() async throws -> BusConnection { try await BusConnection.open(address) }

  /// A connection that owns the broker's name.
  func broker() async throws -> BusConnection {
    let bus = try await connect()
    #expect(try await bus.requestName(BrokerInterface.busName) == .owned)
    return bus
  }

  /// An application that has its name when this returns.
  func start(
    arguments: [String] = [], endingSignals: [Int32] = [],
    preparing: @escaping @concurrent @Sendable () async throws -> Void = {},
    _ handler: @escaping @concurrent @Sendable (SceneRequest) async throws -> SceneResult
  ) async throws -> RunningApplication {
    try await started(run(arguments: arguments, endingSignals: endingSignals, preparing: preparing, handler))
  }

  /// An application that has its name when this returns.
  func started(
    _ run: @escaping @Sendable () async throws -> SceneApplication.Ending
  ) async throws -> RunningApplication {
    try await started(Task { try await run() })
  }

  /// An application in one of UIKit's profiles that was started so, and has its name when this returns.
  func start(
    _ start: Play.Start, _ run: @escaping @Sendable (SceneApplication) async throws -> SceneApplication.Ending
  ) async throws -> RunningApplication {
    var application = application
    application.processStart = start.processStart
    return try await started { [application] in try await run(application) }
  }

  private func started(
    _ running: Task<SceneApplication.Ending, any Error>
  ) async throws -> RunningApplication {
    let observer = try await connect()
    let owners = try await observer.owners(of: Self.name)
    let owner = try await withDeadline(Command.defaultDeadline, "the application's name") {
      await owners.first { $0 != nil } ?? nil
    }
    return RunningApplication(uniqueName: try #require(owner), run: running)
  }

  /// An application on this bus that keeps nothing and hears no signals.
  var application: SceneApplication {
    var application = SceneApplication(Self.id)
    application.bus = address
    application.arguments = []
    application.runtimeDirectory = runtimeDirectory
    application.stateDirectory = nil
    application.endingSignals = []
    return application
  }

  /// An application that may end at once.
  func run(
    arguments: [String] = [], endingSignals: [Int32] = [],
    preparing: @escaping @concurrent @Sendable () async throws -> Void = {},
    _ handler: @escaping @concurrent @Sendable (SceneRequest) async throws -> SceneResult
  ) -> Task<SceneApplication.Ending, any Error> {
    var application = application
    application.arguments = arguments
    application.endingSignals = endingSignals
    return Task { [application] in try await application.run(preparing: preparing, handler) }
  }
}

struct RunningApplication: Sendable {
  static let path: ObjectPath = "/org/example/Stage_App"

  let uniqueName: BusName
  let run: Task<SceneApplication.Ending, any Error>

  var object: RemoteObject { RemoteObject(uniqueName, Self.path) }

  /// Delivers as whoever `bus` is.
  func deliver(_ envelope: Envelope, from bus: BusConnection) async throws -> Reply {
    try Reply(await bus.call(Application1Interface.deliver, at: object, envelope.entries))
  }

  /// Opens by the standard interface.
  func open(_ urls: [String], _ data: [String: Variant] = [:], from bus: BusConnection) async throws {
    try await bus.call(ApplicationInterface.open, at: object, urls, data)
  }

  /// Ends the application and returns how it ended.
  @discardableResult
  func end() async throws -> SceneApplication.Ending {
    run.cancel()
    let run = run
    return try await withDeadline(Command.defaultDeadline, "the application's end") { try await run.value }
  }
}

/// Sends requests without waiting for their replies, in the order of the calls.
actor Courier {
  private let bus: BusConnection
  private let application: RunningApplication

  init(_ bus: BusConnection, to application: RunningApplication) {
    self.bus = bus
    self.application = application
  }

  /// The reply to come.
  func send(_ requestID: String, _ url: String) -> Task<Reply, any Error> {
    // Tasks that inherit an actor start in the order in which they are made.
    Task {
      _ = self
      return try await application.deliver(Envelope(requestID: requestID, urls: [url]), from: bus)
    }
  }

  /// Returns when the application has got all that was sent before: the bus keeps order.
  func arrive() async throws {
    try await Task {
      _ = self
      try await bus.call(Application1Interface.cancel, at: application.object, "unknown")
    }.value
  }
}
