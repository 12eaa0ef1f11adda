// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import Launching
import Systemd

/// An application on a bus of its own, to which this process is the broker.
final class ApplicationUnderTest {
  typealias Pending = BlockingReply<[String: Variant]>

  /// The longest wait until the application has started or exited.
  private static let startTime = Duration.seconds(60)
  /// The longest wait for the name after the started program has exited with status 0.
  private static let successorTime = Duration.seconds(5)

  let id: ApplicationID
  /// The connection that owns the broker's name, and one that does not.
  private(set) var broker, stranger: BlockingBusConnection
  /// The longest wait for a reply.
  let timeout: Duration
  /// The progress reports that were sent to the broker, with their request IDs.
  private(set) var progress: [(id: String, entries: [String: Variant])] = []
  /// The IDs in progress signals that everyone on the bus can receive.
  private(set) var broadcast: [String] = []
  /// The IDs in progress signals that were sent to the broker after the reply to their request.
  private(set) var late: [String] = []
  /// The ID of a request for the slow link that was handled to its end; `nil` if there was none.
  var slowRequestID: String?
  /// A Boolean value that is `true` if the application has reported for a single request that it began.
  var reportsBegin = false
  /// A Boolean value that is `true` if two requests got equal replies, so that a request that is handled twice is not noticed.
  var hasConstantReply = false

  private let bus: PrivateBus
  private let cleanUp = TestCleanUp()
  private let launch: Launch
  /// The home directory of the application; `nil` for that of the user.
  private let home: String?
  private let name: BusName
  private let object: RemoteObject
  /// The calls of Deliver, by request ID.
  private var calls: [String: [Pending]] = [:]
  /// The other names that programs have acquired on the bus, from which a wrong ID is recognized.
  private var otherNames: Set<String> = []
  private var programs: [SpawnedProcess] = []
  private var measuredTime: Duration?

  init(_ id: ApplicationID, _ launch: Launch, home: String?, timeout: Duration) throws(CheckFailure) {
    guard let text = id.busName, let name = BusName(text), let path = ObjectPath(id.objectPath) else {
      throw .cannotRun("\(id) is not a valid bus name")
    }
    (self.id, self.launch, self.home, self.timeout, self.name) = (id, launch, home, timeout, name)
    object = RemoteObject(name, path)
    do throws(PrivateBus.Failure) { bus = try PrivateBus(activatable: name, cleanUp) } catch {
      throw .noBus(error.sentence)
    }
    do throws(BusError) {
      broker = try BlockingBusConnection(bus.address)
      stranger = try BlockingBusConnection(bus.address)
      _ = try broker.acquire(BrokerInterface.busName)
      try stranger.subscribe("type='signal',interface='\(Application1Interface.name)'")
      // A program with a wrong ID may exit before the wait for its name ends.
      try broker.subscribe("type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'")
    } catch {
      bus.end()
      throw .noBus("\(error)")
    }
    broker.observe(Application1Interface.progress) { [unowned self] in record($0, $1) }
    stranger.observe(Application1Interface.progress) { [unowned self] id, _ in broadcast.append(id) }
    broker.observe(BusDaemon.nameOwnerChanged) { [unowned self] name, _, _ in
      guard let other = BusName(name), !other.isUnique, other != self.name, other != BrokerInterface.busName
      else { return }
      otherNames.insert(name)
    }
  }

  /// Gives the broker's name to a new connection, as a new broker has it; returns the connection of the former one.
  func replaceBroker() throws(CheckFailure) -> BlockingBusConnection {
    let former = broker
    do throws(BusError) {
      let next = try BlockingBusConnection(bus.address)
      try former.release(BrokerInterface.busName)
      _ = try next.acquire(BrokerInterface.busName)
      next.observe(Application1Interface.progress) { [unowned self] in record($0, $1) }
      broker = next
    } catch {
      throw .noBus("\(error)")
    }
    return former
  }

  private func record(_ id: String, _ entries: [String: Variant]) {
    progress.append((id, entries))
    // The signals and replies of one connection arrive in the order in which it sent them.
    if calls[id]?.allSatisfy({ $0.result != nil }) == true { late.append(id) }
  }

  /// Terminates the application and the bus.
  func end() {
    for program in programs {
      program.signalGroup(SIGTERM)
      if program.exitStatus(by: .now + .seconds(2)) == nil { program.killGroup() }
      cleanUp.remove(group: program.pid)
    }
    bus.end()
  }

  // MARK: The process

  /// Starts the application, and waits until it owns its bus name.
  func start() throws(CheckFailure) {
    var environment = bus.environment.merging(launch.variables) { $1 }
    if let home {
      environment["HOME"] = home
      for name in ["DATA", "CONFIG", "STATE", "CACHE"] { environment["XDG_\(name)_HOME"] = nil }
    }
    var configuration = ProcessConfiguration(
      executable: launch.executable, arguments: launch.arguments.map(\.bytes), environment: environment,
      workingDirectory: launch.workingDirectory)
    // Standard output is for the report of the checks.
    configuration.output = STDERR_FILENO
    configuration.isBoundToThread = true
    let program: SpawnedProcess
    do throws(SystemdError) { program = try SpawnedProcess(configuration) } catch {
      throw .cannotRun("\(error)")
    }
    programs.append(program)
    cleanUp.add(group: program.pid)
    var deadline = ContinuousClock.now + Self.startTime
    while try owner() == nil {
      if let status = program.exitStatus(by: .now + .milliseconds(20)) {
        guard status.isSuccess else {
          // The names that it acquired are known after a call.
          _ = try owner()
          throw .cannotRun(
            "\(launch.executable) exited with \(status) before it acquired the name \(name)\(otherName)")
        }
        // The program may have started another one.
        deadline = min(deadline, .now + Self.successorTime)
        usleep(20_000)
      }
      guard .now < deadline else {
        throw .cannotRun("\(launch.executable) did not acquire the name \(name)\(otherName)")
      }
    }
  }

  /// The end of a sentence about a program that has acquired other names than the ID of its entry.
  private var otherName: String {
    guard !otherNames.isEmpty else { return "" }
    return
      "; it acquired \(otherNames.sorted().joined(separator: ", ")): if that is its ID in the code, change it to \(id)"
  }

  /// Kills the process that owns the application's name and the program that was started, and starts the application again.
  func crashAndRestart() throws(CheckFailure) {
    try crash()
    try start()
  }

  /// Starts the application again after a crash, with a request that it receives as soon as it owns its name.
  func crashAndRestart(delivering envelope: Envelope) throws(CheckFailure) -> Pending {
    try crash()
    let call = try deliver(envelope.entries, autoStart: true)
    calls[envelope.requestID, default: []].append(call)
    try start()
    return call
  }

  func crash() throws(CheckFailure) {
    try signal(SIGKILL)
    // A program that has `usher listen --replies` as its child does not own the name.
    for program in programs { program.killGroup() }
    let deadline = ContinuousClock.now + Self.startTime
    while try owner() != nil {
      guard .now < deadline else { throw .cannotRun("the application did not exit") }
      usleep(5_000)
    }
  }

  /// Sends a signal to the process that owns the application's name.
  func signal(_ number: Int32) throws(CheckFailure) {
    guard let pid = try processID() else { throw .exited("the application") }
    kill(pid, number)
  }

  /// The process that owns the application's name.
  func processID() throws(CheckFailure) -> Int32? {
    do throws(BusError) {
      return try broker.call(BusDaemon.getConnectionCredentials, at: .bus, name.rawValue)["ProcessID"]?
        .integer
        .flatMap(Int32.init(exactly:))
    } catch  where error.busFailure == .nameHasNoOwner {
      return nil
    } catch {
      throw .noBus("\(error)")
    }
  }

  private func owner() throws(CheckFailure) -> BusName? {
    do throws(BusError) { return try broker.owner(of: name) } catch { throw .noBus("\(error)") }
  }

  /// The runtime directory of the application.
  var runtimeDirectory: String { bus.directory }

  // MARK: Calls

  func envelope(_ urls: [String]) -> Envelope {
    var envelope = Envelope(requestID: RequestID.random(), urls: urls)
    envelope.application = id.rawValue
    envelope.assurance = .unknown
    envelope.delivery = .running
    return envelope
  }

  /// Sends a request, without waiting for the reply.
  func deliver(
    _ entries: [String: Variant], by connection: BlockingBusConnection? = nil, autoStart: Bool = false
  ) throws(CheckFailure) -> Pending {
    try send { () throws(BusError) in
      try (connection ?? broker).begin(
        Application1Interface.deliver, at: object, entries, autoStart: autoStart)
    }
  }

  func deliver(_ envelope: Envelope) throws(CheckFailure) -> Pending {
    let call = try deliver(envelope.entries)
    calls[envelope.requestID, default: []].append(call)
    return call
  }

  /// Returns whether the last call for a request has been answered.
  func isAnswered(_ id: String) -> Bool { calls[id]?.last?.result != nil }

  /// Returns after the application has received every message that was sent to it before, and this process its answers.
  ///
  /// A Cancel of an unknown request has no effect.
  func roundTrip() throws(CheckFailure) { _ = try result(of: try cancel(RequestID.random())) }

  func cancel(
    _ id: String, by connection: BlockingBusConnection? = nil
  ) throws(CheckFailure) -> BlockingReply<()> {
    try send { () throws(BusError) in
      try (connection ?? broker).begin(Application1Interface.cancel, at: object, id)
    }
  }

  private func send<Value>(_ body: () throws(BusError) -> Value) throws(CheckFailure) -> Value {
    do throws(BusError) { return try body() } catch { throw .noBus("\(error)") }
  }

  /// Waits for the reply to a call.
  func result<Value>(
    of reply: BlockingReply<Value>, by connection: BlockingBusConnection? = nil
  ) throws(CheckFailure) -> Result<Value, BusError> {
    _ = try wait(for: timeout, on: connection) { reply.result != nil }
    guard let result = reply.result else {
      throw .broken(.answer, "there is no reply within \(timeout.components.seconds) s")
    }
    return result
  }

  /// Receives messages until `condition` is true; returns `false` if it is not after `time`.
  func wait(
    for time: Duration, on connection: BlockingBusConnection? = nil, until condition: () -> Bool
  ) throws(CheckFailure) -> Bool {
    do throws(BusError) {
      return try (connection ?? broker).wait(by: .now + time, until: condition)
    } catch {
      throw .noBus("\(error)")
    }
  }

  /// Waits for the reply to a request, which must be valid.
  func reply(to pending: Pending) throws(CheckFailure) -> Reply {
    switch try result(of: pending) {
    case .success(let entries):
      do throws(MessageError) { return try Reply(entries) } catch {
        throw .broken(.answer, "the reply is invalid: \(error)")
      }
    case .failure(let error) where error.busFailure == .noReply: throw .exited("a request")
    case .failure(let error) where error.isOfMissingObject: throw .broken(.serve, notServed(error))
    case .failure(let error): throw .broken(.answer, "Deliver fails with \(error)")
    }
  }

  /// The sentence about an application whose object does not have the interface.
  func notServed(_ error: BusError) -> String {
    "\(object.path) does not serve \(Application1Interface.name): \(error)"
  }

  /// Returns how long the application needs for a link, as measured once.
  func handlingTime(of link: String) throws(CheckFailure) -> Duration {
    if let measuredTime { return measuredTime }
    // The first one after the start may take longer.
    _ = try handle(envelope([link]))
    let begin = ContinuousClock.now
    _ = try handle(envelope([link]))
    let time = ContinuousClock.now - begin
    measuredTime = time
    return time
  }

  /// Sends a request, and waits for its reply.
  func handle(_ envelope: Envelope) throws(CheckFailure) -> Reply { try reply(to: try deliver(envelope)) }
}
