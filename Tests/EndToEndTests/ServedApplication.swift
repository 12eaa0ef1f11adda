import BusInterfaces
import DBus
import TestSupport

/// An application that the test itself is: it runs, tells of each call that it gets, and answers envelopes when it is let.
struct ServedApplication: Sendable {
  /// What it serves, which its desktop entry says as well.
  enum Interface {
    /// `org.usher.Application1`.
    case application1
    /// `org.freedesktop.Application` alone.
    case standard
  }

  /// A call that it got, by the method's name.
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
  /// Open when it may answer the envelopes that it got.
  let gate = Gate()
  /// Open when it may say which scene would get one.
  let explaining = Gate()

  /// Installs its entry, and has it run.
  static func start(
    _ interface: Interface, on desk: Desk, lines: [String] = []
  ) async throws -> ServedApplication {
    // It runs already: whoever starts it fails.
    let application = try await prepare(interface, on: desk, exec: "/bin/false", lines: lines)
    try await application.takeName()
    return application
  }

  /// Installs its entry; it runs once it takes its name.
  static func prepare(
    _ interface: Interface, on desk: Desk, exec: String, lines: [String] = []
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

  /// Is there from now on.
  func takeName() async throws {
    guard try await bus.requestName(Self.name) == .owned else {
      throw TestSupportError("\(Self.id) is taken")
    }
  }

  private init(bus: BusConnection, calls: AsyncStream<Call>) {
    self.bus = bus
    self.calls = calls
  }

  /// The next call that it gets.
  func next() async throws -> Call {
    let calls = calls
    let call = try await withDeadline(Command.defaultDeadline, "a call") { await calls.first { _ in true } }
    guard let call else { throw TestSupportError("there are no more calls") }
    return call
  }

  /// The next envelope that it gets.
  func nextEnvelope() async throws -> Envelope {
    let call = try await next()
    guard call.method == "Deliver" else { throw TestSupportError("\(call)") }
    return try Envelope(call.entries)
  }

  /// Tells the broker how far it is with a request.
  func tell(_ requestID: String, _ progress: RequestProgress) async throws {
    try await tell(requestID, progress.entries)
  }

  /// The same in any words.
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
