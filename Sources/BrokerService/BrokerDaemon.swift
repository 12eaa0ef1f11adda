// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
public import DBus
import Freedesktop
import Launching
public import Logging
import State
import Systemd

/// The broker on the bus, which receives, decides, delivers and answers requests.
///
/// It makes the objects of the broker, owns the bus names, and ends when the session does.
@BrokerActor
public final class BrokerDaemon {
  /// The version that `usherd --version` and the bus report.
  public nonisolated static let version = UsherVersion.text

  /// The reason why a broker ended.
  public enum EndReason: Hashable, Sendable {
    /// A signal requested the end.
    case stopped
    /// Another broker owns the names and serves the callers of both.
    case alreadyRunning
    /// Another session has replaced this one, whose broker resumes the pending requests.
    case sessionReplaced
    /// The bus cannot be reached; the sentence names the bus and the error.
    case noBus(String)
  }

  let bus: BusConnection
  private let log: Logger
  private let runtimeDirectory: String?
  private let busFrontend: BusFrontend
  private let socketFrontend: SocketFrontend
  private let admission: AdmissionQueue
  private let deliveries: DeliveryService
  private let prompts: PromptService
  private let registrations: SchemeRegistrations
  private let recovery: Recovery
  private let reporter: CallerReporter
  private let registry: RequestRegistry
  private let history: HistoryWriter
  /// The task that recovers the requests of an earlier broker; `nil` before the start.
  private(set) var recovering: Task<Void, Never>?

  /// Creates a broker on `bus` that reads the desktop's files according to `environment`.
  ///
  /// - Parameters:
  ///   - bus: A connection on the shared event loop.
  ///   - atCommit: Called immediately before and after each write, delivery and answer, for tests that end the
  ///     process there.
  public convenience init(
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
  ///   - timeout: The timeout for that function, for access to the grants, for the files that a prompt needs, and for a home directory
  ///     while the broker starts.
  ///   - openGrants: Opens the store of the grants; `nil` for the default.
  ///   - fileReader: Reads the desktop's files.
  ///   - look: Determines the MIME type of a file.
  init(
    on bus: BusConnection, environment: [String: String], limits: BrokerLimits = BrokerLimits(), log: Logger,
    atCommit: (@Sendable () -> Void)? = nil, timeout: Duration = BrokerLimits.silentFile,
    openGrants: GrantFile.Opening? = nil, reading fileReader: any FileReading = LocalFiles(),
    lookingBy look: @escaping FileTypeProbe.Look
  ) {
    precondition(bus.loop === BrokerActor.loop, "the broker's bus must be on the shared event loop")
    let directories = BaseDirectories(environment: environment)
    let session = SessionEnvironment(ofBroker: environment, bus: bus)
    let files = FileThread()
    // The systemd unit confines the broker, and sets this variable.
    let launcher = ProgramLauncher(
      bus: bus, on: bus.loop, waitingForManager: environment["USHER_CONFINED"] == nil ? nil : .seconds(5),
      encodedExecutor: ProcDirectory.ownProgram)
    let identification = CallerIdentification(
      .init(bus, runtimeDirectory: directories.runtimeDirectory), on: bus.loop)

    // Storage
    let busAddress = (try? bus.address.resolved()) ?? ""
    let journal = RequestJournal(limits, busAddress: busAddress, log: log, atCommit: atCommit)
    let quotas = QuotaTracker(limits)
    let grants = GrantRepository(in: directories, log: log, timeout: timeout, open: openGrants)
    grants.permissionsChanged = { Self.reportPermissions(on: bus) }
    history = HistoryWriter(in: directories, log: log)
    let monitors = MonitorHub()

    // Decisions
    let policy = PolicyService(in: session, cache: PolicyCache(fileReader), files: files, log: log)
    prompts = PromptService(
      on: bus,
      probe: PromptCapabilityProbe(bus: bus, files: files, fileReader: fileReader, timeout: timeout),
      launcher: launcher, grants: grants, identifyingBy: identification, log: log)
    reporter = CallerReporter(on: bus)
    let deadlines = DecisionDeadlines(lifetime: limits.lifetime)
    let questions = QuestionService(
      on: bus, environment: session, files: files, grants: grants, prompts: prompts, journal: journal,
      quotas: quotas, reporter: reporter, deadlines: deadlines)
    let decisions = DecisionService(
      on: bus, policy: policy, files: files,
      fileTypes: FileTypeProbe(on: bus.loop, timeout: timeout, by: look), grants: grants,
      questions: questions, deadlines: deadlines, limits: limits)
    let permissions = PermissionService(
      policy: policy, environment: session, files: files, grants: grants,
      prompts: prompts, log: log)
    registrations = SchemeRegistrations(
      on: bus, identifyingBy: identification, policy: policy, environment: session, prompts: prompts,
      former: FormerRegistrations(
        busAddress: busAddress, runtimeDirectory: directories.runtimeDirectory, log: log),
      reading: fileReader, timeout: timeout, log: log)

    // Delivery
    let programs = ProgramDeliveries(
      launcher: launcher,
      starts: ProgramStarts(perCaller: limits.startsPerCaller, inAll: limits.startsInAll),
      runtimeDirectory: directories.runtimeDirectory)
    let reports = DeliveryReports(
      history: history, monitors: monitors, reporter: reporter, failures: FailureNotifier(on: bus))
    deliveries = DeliveryService(
      DeliveryDependencies(
        bus: bus, programs: programs, journal: journal, quotas: quotas, identification: identification,
        files: files, environment: session, reports: reports, registrations: registrations,
        commands: RouteCommandJobs(), shutdown: DeliveryShutdown()),
      log: log)

    // Requests
    admission = AdmissionQueue(
      identifyingBy: identification, in: session, undecided: limits.undecided, bytes: limits.undecidedBytes)
    registry = RequestRegistry(journal: journal, log: log)
    let completion = RequestCompletion(
      decisions: decisions, deliveries: deliveries, reporter: reporter)
    recovery = Recovery(
      journal: journal, quotas: quotas, registry: registry, deliveries: deliveries, completion: completion,
      policy: policy,
      decisions: decisions, admission: admission, files: files,
      runtimeDirectory: directories.runtimeDirectory, log: log)
    let opening = OpenService(
      admission: admission, registry: registry, decisions: decisions, deliveries: deliveries,
      completion: completion, recovery: recovery, journal: journal, identification: identification)

    // Frontends
    let explanations = ExplanationService(
      on: bus, admission: admission, policy: policy, decisions: decisions, deadlines: deadlines,
      deliveries: deliveries)
    busFrontend = BusFrontend(
      opening: opening, explanations: explanations, grants: GrantFrontend(grants, policy: policy),
      permissions: permissions, registrations: registrations, admission: admission,
      journal: journal, quotas: quotas, recovery: recovery, history: history,
      monitors: monitors, environment: session)
    socketFrontend = SocketFrontend(
      on: bus, runtimeDirectory: directories.runtimeDirectory, opening: opening, policy: policy, log: log)
    self.bus = bus
    self.log = log
    runtimeDirectory = directories.runtimeDirectory
  }

  /// Serves the user's bus until one of `signals` arrives, and notifies the service manager.
  ///
  /// - Parameter atCommit: As for `init`.
  public static func run(
    limits: BrokerLimits = BrokerLimits(), log: Logger, signals: AsyncStream<Int32>,
    atCommit: (@Sendable () -> Void)? = nil
  ) async -> EndReason {
    do throws(BusError) {
      let bus = try await BusConnection.open(.user, on: BrokerActor.loop)
      let daemon = BrokerDaemon(
        on: bus, environment: LaunchEnvironment.current(), limits: limits, log: log, atCommit: atCommit)
      // The bus may be lost while the broker starts.
      let events = await bus.events()
      guard try await daemon.start() else { return .alreadyRunning }
      ServiceNotification.ready.send()
      bus.loop.sendKeepAlives()
      let reason = await daemon.serve(events, until: signals)
      ServiceNotification.stopping.send()
      await daemon.stop()
      await bus.close()
      return reason
    } catch {
      return .noBus("\(error)")
    }
  }

  /// Serves both bus names and acquires them.
  ///
  /// Requests wait until those of an earlier broker, which precede them, are continued.
  ///
  /// - Returns: Whether this broker owns the names; `false` if another broker does.
  public func start() async throws(BusError) -> Bool {
    removeExpiredEnvelopes()
    forgetConnectionsOfLostBus(await bus.events())
    recovery.prepare()
    try await reporter.listen()
    // Objects are exported before the names are acquired, because messages that the bus holds for a name arrive with
    // it.
    try await busFrontend.export(on: bus)
    guard try await acquireNames() else {
      recovery.finish()
      return false
    }
    // A home that does not respond delays the requests, and neither the service manager nor an exit.
    recovering = BrokerActor.loop.start { await self.recover() }
    return true
  }

  /// Continues what an earlier broker has left, and admits new requests then.
  private func recover() async {
    // Before the stored requests, which may be for these applications.
    await registrations.recover()
    await recovery.load()
    // A stopping broker admits no new request, because it may repeat a stored one that was not resumed.
    guard !Task.isCancelled else { return }
    recovery.finish()
    log.info("ready", metadata: ["version": "\(Self.version)"])
  }

  /// Forgets all unique names each time the bus is lost: another bus gives them to other programs, from `:1.0` on.
  private func forgetConnectionsOfLostBus(_ events: AsyncStream<BusConnection.Event>) {
    BrokerActor.loop.start { [admission, registry, deliveries] in
      for await event in events where event == .lost {
        admission.forgetConnections()
        registry.forgetConnections()
        deliveries.forgetOwners()
      }
    }
  }

  /// Informs the trigger daemon, if it runs, that an answer about a permission has changed.
  private static func reportPermissions(on bus: BusConnection) {
    BrokerActor.loop.start {
      // Sent to its unique name, because the bus would start the daemon for a signal to the other one.
      guard let daemon = try? await bus.owner(of: TriggersInterface.busName) else { return }
      try? await bus.emit(BrokerInterface.permissionsChanged, from: BrokerInterface.path, to: daemon)
    }
  }

  /// Removes the envelope files of programs that outlived an earlier broker, now and after the hour of the last one.
  private func removeExpiredEnvelopes() {
    EnvelopeFile.removeExpired(in: runtimeDirectory)
    BrokerActor.loop.start { [runtimeDirectory] in
      guard (try? await BrokerActor.loop.sleep(for: BrokerLimits.envelopeFile + .seconds(5))) != nil else {
        return
      }
      EnvelopeFile.removeExpired(in: runtimeDirectory)
    }
  }

  /// Requests both names.
  ///
  /// Returns `true` also if this broker owns them already.
  private func acquireNames() async throws(BusError) -> Bool {
    guard try await bus.requestName(BrokerInterface.busName) == .owned else { return false }
    // The socket is opened before the name by which other programs detect a broker is acquired.
    socketFrontend.listen()
    let isOurs = try await bus.requestName(ApplicationInterface.handlerBusName) == .owned
    if !isOurs { socketFrontend.close() }
    return isOurs
  }

  private enum Occurrence: Sendable {
    case stopRequested
    case bus(BusConnection.Event)
    case busTimedOut
  }

  private func serve(
    _ events: AsyncStream<BusConnection.Event>, until signals: AsyncStream<Int32>
  ) async -> EndReason {
    let (occurrences, happened) = AsyncStream<Occurrence>.makeStream()
    let watches = [
      BrokerActor.loop.start { for await _ in signals { happened.yield(.stopRequested) } },
      BrokerActor.loop.start { for await event in events { happened.yield(.bus(event)) } },
    ]
    defer { for watch in watches { watch.cancel() } }
    var timeout: Task<Void, Never>?
    func limitWait() {
      timeout?.cancel()
      timeout = BrokerActor.loop.start {
        if (try? await BrokerActor.loop.sleep(for: BrokerLimits.lostBus)) != nil {
          happened.yield(.busTimedOut)
        }
      }
    }
    for await occurrence in occurrences {
      switch occurrence {
      case .stopRequested: return .stopped
      case .busTimedOut: return .noBus("the connection to the bus was lost, and reconnecting failed")
      case .bus(.lost):
        log.warning("the connection to the bus was lost")
        // Nothing can be delivered without the bus. The command then opens URLs by itself.
        socketFrontend.close()
        limitWait()
      case .bus(.restored):
        timeout?.cancel()
        guard await !recovery.leavesToNextSession() else { return .sessionReplaced }
        // Another broker may have been started on the new bus.
        do throws(BusError) {
          guard try await acquireNames() else { return .alreadyRunning }
          log.info("reconnected to the bus")
        } catch {
          // The bus was lost again. The next event says so, and without one the broker does not wait forever.
          log.warning("cannot acquire the bus names again: \(error)")
          limitWait()
        }
      }
    }
    return .stopped
  }

  /// Stores the requests that must survive, before the broker ends.
  func stop() async {
    recovering?.cancel()
    socketFrontend.close()
    await deliveries.finishSending(within: BrokerLimits.stopping)
    deliveries.stop()
    // The history and the log still have scheduled entries.
    await withCheckedContinuation { reported in BrokerActor.loop.submitAfterwards { reported.resume() } }
    await history.flush(within: BrokerLimits.stopping)
    // While requests can be stored, because calls and replies arrive in the meantime.
    await prompts.close(within: BrokerLimits.stopping)
    deliveries.close()
  }
}
