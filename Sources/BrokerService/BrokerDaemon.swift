import BrokerCore
import BusInterfaces
public import DBus
import Freedesktop
import Launching
public import Logging
import RouteFiles
import RouteTables
import State
import Systemd

/// The broker on the bus, which receives, decides, delivers and answers requests.
public actor BrokerDaemon {
  /// The version that `usherd --version` and the bus report.
  public static let version = UsherVersion.text

  let bus: BusConnection
  let loop: EventLoop
  let log: Logger
  let environment: [String: String]
  let dependencies: DeliveryQueue.Dependencies
  let identification: CallerIdentification
  let fileLooks: FileTypeProbe
  var files: FileThread { dependencies.files }
  /// The event loop that runs the actor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let journal: RequestJournal
  let history: HistoryWriter
  let grants: GrantRepository
  let asker: PromptService
  let monitors: Monitors
  let handlings: ProgressForwarder
  private(set) var targets: [ApplicationID: DeliveryQueue] = [:]
  var requests: [RequestKey: RequestEntry] = [:]
  /// The requests that are answered and finished.
  var answered = AnsweredRequests(capacity: RequestEntry.remembered)
  /// The answered requests with unfinished parts, whether their callers gave them IDs, and the index that was checked last.
  var openParts: [(key: RequestKey, isNamed: Bool)] = []
  var nextOpen = 0
  var keptRules: PolicyCache
  /// A separate thread stores versions of route files, so that a state directory that does not respond delays no request.
  let versionFiles = FileThread()
  /// Fulfilled when the current load of the policy is finished; `nil` if none is in progress.
  var readingRules: Promise<Void>?
  var admissions: AdmissionQueue
  /// The redirect chains, and the rate limits of sources.
  var trails = LoopDetector()
  var rates = RateLimiter()
  var hopCounter = HopCounter()
  /// The open socket for plain URLs; `nil` while it is closed.
  var listener: SeqPacketListener?

  /// The task that expires old requests while any are pending.
  private var expiring: Task<Void, Never>?

  /// Creates a broker on `bus` that reads the desktop's files according to `environment`.
  ///
  /// - Parameter atCommit: Called immediately before and after each write, delivery and answer, for tests that end the
  ///   process there.
  public init(
    on bus: BusConnection, environment: [String: String], limits: BrokerLimits = BrokerLimits(), log: Logger,
    atCommit: (@Sendable () -> Void)? = nil
  ) {
    self.init(on: bus, environment: environment, limits: limits, log: log, atCommit: atCommit) {
      // Closing a file that SQLite has open in this process would release SQLite's locks, so only the name is used.
      OpenDatabases.contains(fileAt: $0)
        ? LocalFiles().type(ofFileNamed: $0) : LocalFiles().type(ofFileAt: $0)
    }
  }

  /// Creates a broker with a function that determines MIME types.
  ///
  /// - Parameters:
  ///   - timeout: The timeout for that function and for access to the grants.
  ///   - openGrants: Opens the store of the grants; `nil` for the default.
  ///   - files: Reads the desktop's files.
  ///   - look: Determines the MIME type of a file.
  init(
    on bus: BusConnection, environment: [String: String], limits: BrokerLimits = BrokerLimits(), log: Logger,
    atCommit: (@Sendable () -> Void)? = nil, timeout: Duration = .seconds(2),
    openGrants: GrantFile.Opening? = nil, reading files: any FileReading = LocalFiles(),
    lookingBy look: @escaping FileTypeProbe.Look
  ) {
    self.bus = bus
    self.environment = environment
    self.log = log
    loop = bus.loop
    admissions = AdmissionQueue(undecided: limits.undecided)
    journal = RequestJournal(
      on: bus.loop, limits, busAddress: (try? bus.address.resolved()) ?? "", log: log, atCommit: atCommit)
    history = HistoryWriter(
      on: bus.loop, in: BaseDirectories(environment: environment), log: log)
    grants = GrantRepository(
      on: bus.loop, in: BaseDirectories(environment: environment), log: log, timeout: timeout,
      open: openGrants)
    // The systemd unit confines the broker, and sets this variable.
    let launcher = ProgramLauncher(
      bus: bus, on: bus.loop, waitingForManager: environment["USHER_CONFINED"] == nil ? nil : .seconds(5),
      encodedExecutor: ProcDirectory.ownProgram)
    asker = PromptService(on: bus, launcher: launcher, grants: grants, log: log)
    monitors = Monitors(on: bus.loop)
    handlings = ProgressForwarder(on: bus.loop)
    identification = CallerIdentification(
      .init(bus, runtimeDirectory: BaseDirectories(environment: environment).runtimeDirectory), on: bus.loop)
    dependencies = DeliveryQueue.Dependencies(
      bus: bus, loop: bus.loop, launcher: launcher,
      runtimeDirectory: BaseDirectories(environment: environment).runtimeDirectory, journal: journal,
      identification: identification,
      starts: ProgramStarts(on: bus.loop, perCaller: limits.startsPerCaller, inAll: limits.startsInAll))
    keptRules = PolicyCache(files)
    fileLooks = FileTypeProbe(on: bus.loop, timeout: timeout, by: look)
  }

  /// Serves both bus names and acquires them.
  ///
  /// - Returns: Whether this broker owns the names; `false` if another broker does.
  public func start() async throws(BusError) -> Bool {
    removeLeftEnvelopes()
    // The requests of an earlier broker precede all new ones, but only the owner of the names may load them.
    let (named, naming) = AsyncStream<Void>.makeStream()
    let recovered = Promise<Void>()
    loop.start {
      for await _ in named {
        await self.recover()
        break
      }
      self.admissions.recovery = nil
      recovered.fulfil(())
    }
    admissions.recovery = recovered
    try await listenToHandlers()
    // Objects are exported before the names are acquired, because messages that the bus holds for a name arrive with
    // it.
    try await bus.export(brokerObject)
    try await bus.export(handlerObject)
    guard try await takeNames() else { return false }
    naming.yield()
    await recovered.value
    log.info("ready", metadata: ["version": "\(Self.version)"])
    return true
  }

  /// Removes the envelope files of programs that outlived an earlier broker, now and after the hour of the last one.
  private func removeLeftEnvelopes() {
    let directory = dependencies.runtimeDirectory
    EnvelopeFile.removeExpired(in: directory)
    loop.start { [loop] in
      guard (try? await loop.sleep(for: .seconds(3_605))) != nil else { return }
      EnvelopeFile.removeExpired(in: directory)
    }
  }

  /// Requests both names.
  ///
  /// Returns `true` also if this broker owns them already.
  func takeNames() async throws(BusError) -> Bool {
    guard try await bus.requestName(BrokerInterface.busName) == .owned else { return false }
    // The socket is opened before the name by which other programs detect a broker is acquired.
    listenAtSocket()
    let isOurs = try await bus.requestName(ApplicationInterface.handlerBusName) == .owned
    if !isOurs { leaveSocket() }
    return isOurs
  }

  /// Returns the environment of the broker, overridden by that of the user's service manager.
  func currentEnvironment() async -> [String: String] {
    var environment = environment
    // The service manager's environment is the one that programs get, and it may have changed since the broker was
    // started.
    environment.merge(await ProgramLauncher.managerEnvironment(bus)) { $1 }
    return environment
  }

  func target(_ application: TargetApplication, _ rules: PolicySnapshot) -> DeliveryQueue {
    if let target = targets[application.id] { return target }
    let target = DeliveryQueue(application, programs: rules.programs, dependencies)
    targets[application.id] = target
    return target
  }

  /// The secret key of this session.
  var ledgerKey: [UInt8] { journal.assumeIsolated { $0.key } }

  /// Starts to expire old requests, until none is pending.
  func expireOld() {
    guard expiring == nil else { return }
    expiring = loop.start { [self] in
      let pause = min(Duration.seconds(15), journal.limits.lifetime)
      while await journal.pending > 0 {
        guard (try? await loop.sleep(for: pause)) != nil else { break }
        for target in targets.values { await target.expire(at: BootClock.now) }
      }
      expiring = nil
    }
  }

  /// Stores the requests that must survive, before the broker ends.
  func stop() async {
    leaveSocket()
    for target in targets.values { await target.stop() }
    // The history and the log still have scheduled entries.
    await withCheckedContinuation { reported in loop.submitAfterwards { reported.resume() } }
    await history.flush()
  }
}
