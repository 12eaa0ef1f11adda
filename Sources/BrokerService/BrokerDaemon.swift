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

/// The broker on the bus: takes requests, decides, hands over, and answers.
public actor BrokerDaemon {
  /// The version that `usherd --version` and the bus tell.
  public static let version = UsherVersion.text

  let bus: BusConnection
  let loop: EventLoop
  let log: Logger
  let environment: [String: String]
  let dependencies: DeliveryQueue.Dependencies
  let identification: CallerIdentification
  let fileLooks: FileTypeProbe
  var files: FileThread { dependencies.files }
  /// The loop it lives on.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let journal: RequestJournal
  let history: HistoryWriter
  let grants: GrantRepository
  let asker: PromptService
  let monitors: Monitors
  let handlings: ProgressForwarder
  private(set) var targets: [ApplicationID: DeliveryQueue] = [:]
  var requests: [RequestKey: RequestEntry] = [:]
  /// The requests that were answered and are over.
  var answered = AnsweredRequests(capacity: RequestEntry.remembered)
  /// The requests that were answered of which parts are open, whether their callers named them, and which was looked at last.
  var openParts: [(key: RequestKey, isNamed: Bool)] = []
  var nextOpen = 0
  var keptRules: PolicyCache
  /// Where versions of route files are stored: a state folder that does not answer holds up no link.
  let versionFiles = FileThread()
  /// Comes when the rules that are being read are there.
  var readingRules: Promise<Void>?
  var admissions: AdmissionQueue
  /// Where links have gone lately, and how many whose rate counts.
  var trails = LoopDetector()
  var rates = RateLimiter()
  var hopCounter = HopCounter()
  /// Where plain links come beside the bus.
  var listener: SeqPacketListener?

  /// Ends what is too old, while there is anything that could become so.
  private var expiring: Task<Void, Never>?

  /// A broker on `bus` that reads the desktop's files by `environment`.
  ///
  /// - Parameter atCommit: called right before and right after whatever is written down, sent or answered; for tests
  ///   that end the process there.
  public init(
    on bus: BusConnection, environment: [String: String], limits: BrokerLimits = BrokerLimits(), log: Logger,
    atCommit: (@Sendable () -> Void)? = nil
  ) {
    self.init(on: bus, environment: environment, limits: limits, log: log, atCommit: atCommit) {
      // A file that SQLite has open here may not be opened beside it; its name decides.
      OpenDatabases.contains(fileAt: $0)
        ? LocalFiles().type(ofFileNamed: $0) : LocalFiles().type(ofFileAt: $0)
    }
  }

  /// A broker that looks at files by `look`, and waits for that, and for the file of the grants, as long as `timeout`.
  ///
  /// - Parameters:
  ///   - openGrants: opens that file; as usual where it is absent.
  ///   - files: where the desktop's files are read.
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
    // The unit confines the broker, and says so.
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

  /// Serves both doors and takes their names.
  ///
  /// - Returns: whether the names are ours; `false` when another broker has them.
  public func start() async throws(BusError) -> Bool {
    removeLeftEnvelopes()
    // What an earlier broker left is queued before anything that is new; but only whoever has the names may touch it.
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
    // Objects before names: messages that the bus holds for a name arrive with it.
    try await bus.export(brokerObject)
    try await bus.export(handlerObject)
    guard try await takeNames() else { return false }
    naming.yield()
    await recovered.value
    log.info("ready", metadata: ["version": "\(Self.version)"])
    return true
  }

  /// Removes the envelopes of programs that outlived an earlier broker: now, and when the hour of the last has passed.
  private func removeLeftEnvelopes() {
    let directory = dependencies.runtimeDirectory
    EnvelopeFile.removeExpired(in: directory)
    loop.start { [loop] in
      guard (try? await loop.sleep(for: .seconds(3_605))) != nil else { return }
      EnvelopeFile.removeExpired(in: directory)
    }
  }

  /// Asks for both names; what is ours already stays ours.
  func takeNames() async throws(BusError) -> Bool {
    guard try await bus.requestName(BrokerInterface.busName) == .owned else { return false }
    // Before the name by which others see that a broker is there.
    listenAtSocket()
    let isOurs = try await bus.requestName(ApplicationInterface.handlerBusName) == .owned
    if !isOurs { leaveSocket() }
    return isOurs
  }

  /// Our environment with the user manager's on top.
  func currentEnvironment() async -> [String: String] {
    var environment = environment
    // What the user manager gives to programs decides, also where it changed after we were started.
    environment.merge(await ProgramLauncher.managerEnvironment(bus)) { $1 }
    return environment
  }

  func target(_ application: TargetApplication, _ rules: PolicySnapshot) -> DeliveryQueue {
    if let target = targets[application.id] { return target }
    let target = DeliveryQueue(application, programs: rules.programs, dependencies)
    targets[application.id] = target
    return target
  }

  /// The secret of this session.
  var ledgerKey: [UInt8] { journal.assumeIsolated { $0.key } }

  /// Ends what is too old from now on, until nothing waits any more.
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

  /// What is not written down yet is, as far as it must be, before the broker ends.
  func stop() async {
    leaveSocket()
    for target in targets.values { await target.stop() }
    // What the history and the log are still to be told.
    await withCheckedContinuation { reported in loop.submitAfterwards { reported.resume() } }
    await history.flush()
  }
}
