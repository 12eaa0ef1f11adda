// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport

/// An application in the test's own process, which reports each call and answers envelopes when a gate opens.
struct ServedApplication: Sendable {
  /// The interface of the application, as declared in its desktop entry.
  enum Interface {
    /// `org.usher.Application1`.
    case application1
    /// `org.freedesktop.Application` alone.
    case standard
  }

  /// A received call, with the method's name.
  struct Call: Sendable {
    let method: String
    var word = ""
    var list: [Variant] = []
    var entries: [String: Variant] = [:]
  }

  static let id = "org.example.Served"
  static let name: BusName = "org.example.Served"
  static let path: ObjectPath = "/org/example/Served"
  static let scheme = "served"

  let bus: BusConnection
  private let calls: AsyncStream<Call>
  /// The gate before the answers to envelopes.
  let gate = Gate()
  /// The gate before the explanations of scenes.
  let explaining = Gate()

  /// Installs the entry, and starts the application.
  static func start(
    _ interface: Interface, on desk: InstalledDesktop, lines: [String] = []
  ) async throws -> ServedApplication {
    // The Exec line fails, because the application is already running.
    let application = try await prepare(interface, on: desk, exec: "/bin/false", lines: lines)
    try await application.takeName()
    return application
  }

  /// Installs the entry; the application runs once it acquires its name.
  static func prepare(
    _ interface: Interface, on desk: InstalledDesktop, exec: String, lines: [String] = []
  ) async throws -> ServedApplication {
    let says = interface == .application1 ? "Implements=org.usher.Application1;" : "DBusActivatable=true"
    try desk.desktop.installDesktopEntry(id, exec: "\(exec) %u", schemes: [scheme], lines: [says] + lines)
    try desk.desktop.setDefaults([scheme: ["org.usher.Handler", id]])
    let (calls, called) = AsyncStream<Call>.makeStream()
    let application = ServedApplication(bus: try await desk.connect(), calls: calls)
    let members = interface == .application1 ? application.envelopes(called) : standard(called)
    try await application.bus.export(BusObject(path, members))
    return application
  }

  /// Acquires the name.
  func takeName() async throws {
    guard try await bus.requestName(Self.name) == .owned else {
      throw TestSupportError("\(Self.id) is taken")
    }
  }

  private init(bus: BusConnection, calls: AsyncStream<Call>) {
    self.bus = bus
    self.calls = calls
  }

  /// Returns the next call.
  func next() async throws -> Call {
    let calls = calls
    let call = try await withDeadline(Command.defaultDeadline, "a call") { await calls.first { _ in true } }
    guard let call else { throw TestSupportError("there are no more calls") }
    return call
  }

  /// Returns the next envelope.
  func nextEnvelope() async throws -> Envelope {
    let call = try await next()
    guard call.method == "Deliver" else { throw TestSupportError("\(call)") }
    return try Envelope(call.entries)
  }

  /// Reports the progress of a request to the broker.
  func tell(_ requestID: String, _ progress: RequestProgress) async throws {
    try await tell(requestID, progress.entries)
  }

  /// Reports the progress of a request in arbitrary entries.
  func tell(_ requestID: String, _ entries: [String: Variant]) async throws {
    try await bus.emit(
      Application1Interface.progress, from: Self.path, to: BrokerInterface.busName, requestID, entries)
  }

  private func envelopes(_ called: AsyncStream<Call>.Continuation) -> [BusMember] {
    let (gate, explaining) = (gate, explaining)
    return [
      .method(Application1Interface.deliver) { _, envelope async throws(BusError) in
        called.yield(Call(method: "Deliver", entries: envelope))
        await gate.pass()
        return Reply(handled: true).entries
      },
      .method(Application1Interface.cancel) { _, id async throws(BusError) in
        called.yield(Call(method: "Cancel", word: id))
      },
      .method(Application1Interface.explain) { _, envelope async throws(BusError) in
        called.yield(Call(method: "Explain", entries: envelope))
        await explaining.pass()
        return ["scene": "session-7", "steps": .strings(["two scenes", "session-7 prefers it"])]
      },
    ]
  }

  private static func standard(_ called: AsyncStream<Call>.Continuation) -> [BusMember] {
    [
      .method(ApplicationInterface.activate) { _, data async throws(BusError) in
        called.yield(Call(method: "Activate", entries: data))
      },
      .method(ApplicationInterface.activateAction) { _, action, parameter, data async throws(BusError) in
        called.yield(Call(method: "ActivateAction", word: action, list: parameter, entries: data))
      },
      .method(ApplicationInterface.open) { _, urls, data async throws(BusError) in
        called.yield(Call(method: "Open", list: urls.map { .string($0) }, entries: data))
      },
    ]
  }
}
