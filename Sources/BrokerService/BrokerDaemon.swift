import BrokerCore
import BusInterfaces
public import DBus
import Freedesktop
import Launching
public import Logging
import RouteFiles
import RouteTables
import Systemd

/// The broker on the bus: takes requests, decides, hands over, and answers.
public actor BrokerDaemon {
  /// The version that `usherd --version` and the bus tell.
  public static let version = UsherVersion.text

  let bus: BusConnection
  let loop: EventLoop
  let log: Logger
  let environment: [String: String]
  let surroundings: Target.Surroundings
  let identification: CallerIdentification
  let fileLooks: FileLooks
  /// The loop it lives on.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private(set) var targets: [ApplicationID: Target] = [:]
  var requests: [RequestKey: RequestRecord] = [:]
  /// The requests that were answered, the first one first.
  var answered: [RequestKey] = []
  private(set) var routes = KeptRoutes()
  /// Ends when the last request that arrived has been admitted.
  var lastAdmission: Task<Void, Never>?

  /// A broker on `bus` that reads the desktop's files by `environment`.
  public init(on bus: BusConnection, environment: [String: String], log: Logger) {
    self.init(on: bus, environment: environment, log: log) { LocalFiles().type(ofFileAt: $0) }
  }

  /// A broker that looks at files by `look`, and waits for that as long as `patience`.
  init(
    on bus: BusConnection, environment: [String: String], log: Logger, patience: Duration = .seconds(2),
    lookingBy look: @escaping FileLooks.Look
  ) {
    self.bus = bus
    self.environment = environment
    self.log = log
    loop = bus.loop
    surroundings = Target.Surroundings(
      bus: bus, loop: bus.loop, launcher: ProgramLauncher(bus: bus, on: bus.loop),
      runtimeDirectory: BaseDirectories(environment: environment).runtimeDirectory)
    identification = CallerIdentification(bus: bus)
    fileLooks = FileLooks(on: bus.loop, patience: patience, by: look)
  }

  /// Serves both doors and takes their names.
  ///
  /// - Returns: whether the names are ours; `false` when another broker has them.
  public func start() async throws(BusError) -> Bool {
    removeLeftEnvelopes()
    // Objects before names: messages that the bus holds for a name arrive with it.
    try await bus.export(brokerObject)
    try await bus.export(handlerObject)
    guard try await takeNames() else { return false }
    log.info("ready", metadata: ["version": "\(Self.version)"])
    return true
  }

  /// Removes the envelopes of programs that outlived an earlier broker: now, and when the hour of the last has passed.
  private func removeLeftEnvelopes() {
    let folder = surroundings.runtimeDirectory
    EnvelopeFile.removeExpired(in: folder)
    Task { [loop] in
      guard (try? await loop.sleep(for: .seconds(3_605))) != nil else { return }
      EnvelopeFile.removeExpired(in: folder)
    }
  }

  /// Asks for both names; what is ours already stays ours.
  func takeNames() async throws(BusError) -> Bool {
    for name in [BrokerInterface.busName, ApplicationInterface.handlerBusName] {
      guard try await bus.requestName(name) == .owned else { return false }
    }
    return true
  }

  /// The rules as the desktop's files are now.
  func rules() async -> DesktopRules {
    var environment = environment
    // What the user manager gives to programs decides, also where it changed after we were started.
    if await ProgramLauncher.hasUserManager(bus) {
      environment.merge(await ProgramLauncher.managerEnvironment(bus)) { $1 }
    }
    return DesktopRules(environment: environment) { folders, rank in
      routes.table(of: folders, rank) { log.warning("\($0)") }
    }
  }

  func target(_ application: TargetApplication, _ rules: DesktopRules) -> Target {
    if let target = targets[application.id] { return target }
    let target = Target(application, programs: rules.programs, surroundings)
    targets[application.id] = target
    return target
  }
}
