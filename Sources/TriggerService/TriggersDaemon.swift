// SPDX-License-Identifier: Apache-2.0
import BrokerCore
public import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Launching
public import Logging
import Systemd
import Triggers

/// The daemon for notifications, downloads, locations and Bluetooth: it owns the bus name, and exits when it is idle.
@BrokerActor
public final class TriggersDaemon {
  /// The version that `usher-triggers --version` and the bus report.
  public nonisolated static let version = UsherVersion.text

  /// The reason why a daemon ended.
  public enum EndReason: Hashable, Sendable {
    /// A signal requested the end.
    case stopped
    /// The daemon was idle.
    case idle
    /// Another daemon owns the name.
    case superfluous
    /// The bus cannot be reached; the sentence names the bus and the error.
    case noBus(String)
  }

  private enum Occurrence: Sendable {
    case stopRequested
    case lostBus
    case idle
  }

  /// The time for which an idle daemon waits for further calls.
  private static let idleTime = TestFaults.idleTime

  private let bus: BusConnection
  private let log: Logger
  private let clock: TriggerClock
  private let facts: ApplicationFacts
  private let badges: BadgeService
  private let server: NotificationServer
  private let sender: EventSender
  private let presenter: Presenter
  private let missingApplications: MissingApplications
  private let pending: PendingNotifications
  private let scheduler: Scheduler
  private let frontend: TriggersFrontend
  private let registrations: PushRegistrations
  private let pushes: BackgroundPushes
  private let connector: PushConnector
  private let downloads: Downloads
  private let locations: LocationMonitor
  private let bluetooth: BluetoothMonitor
  private let peripherals: BluetoothPublisher
  private let gate: CallGate
  private var timer: WallClockTimer?
  private var zoneMonitors: [FileNameMonitor] = []
  private var idleTimer: LoopTimer?
  private let occurrences: AsyncStream<Occurrence>
  private let happened: AsyncStream<Occurrence>.Continuation

  /// Creates a daemon on `bus`.
  ///
  /// - Parameters:
  ///   - bus: A connection on the shared event loop.
  ///   - localtime: The path of the system's zone.
  ///   - atCommit: Called immediately before and after each write and each call of another program, for tests that end
  ///     the process there.
  init(
    on bus: BusConnection, environment: [String: String], localtime: String, log: Logger,
    atCommit: (@Sendable () -> Void)?
  ) {
    let directories = BaseDirectories(environment: environment)
    var time = TriggerClock.Dependencies()
    time.localtime = localtime
    clock = TriggerClock(time)
    let file = TriggerFile(in: directories, log: log, atCommit: atCommit)
    let identification = SourceIdentification(on: bus, environment: environment, log: log)
    let permission = ApplicationPermission(.notifications, on: bus)
    facts = ApplicationFacts(in: file)
    badges = BadgeService(on: bus, facts: facts, log: log)
    server = NotificationServer(on: bus, identification: identification, log: log)
    sender = EventSender(on: bus, file: file, log: log, atStep: atCommit)
    presenter = Presenter(
      server: server, sender: sender, permission: permission, identification: identification, facts: facts,
      badges: badges, file: file, log: log, atStep: atCommit)
    missingApplications = MissingApplications(
      file: file, clock: clock, facts: facts, identification: identification, log: log)
    pending = PendingNotifications(in: file)
    scheduler = Scheduler(
      pending: pending, clock: clock, presenter: presenter, missingApplications: missingApplications, log: log
    )
    registrations = PushRegistrations(
      on: bus, file: file, clock: clock, identification: identification, log: log)
    pushes = BackgroundPushes(on: bus, file: file, clock: clock, log: log, atStep: atCommit)
    downloads = Downloads(
      on: bus, file: file, clock: clock, sender: sender,
      .init(
        runner: CurlRunner(bus: bus, searchPath: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"),
        directory: "\(directories.stateHome)/usher/downloads", dataHome: directories.dataHome,
        stall: TestFaults.stall ?? DownloadLimits.stall, identification: identification),
      log: log, atStep: atCommit)
    let locationPermission = ApplicationPermission(.location, on: bus)
    let permissions = PermissionWatch(
      [.location: locationPermission, .notifications: permission], on: bus, log: log)
    let regionNotifications = RegionNotifications(
      pending: pending, clock: clock, presenter: presenter, permissions: permissions, log: log)
    locations = LocationMonitor(
      file: file, clock: clock, sender: sender, notifications: regionNotifications,
      missingApplications: missingApplications,
      permissions: permissions, geoClue: GeoClueClient(on: bus.loop, log: log))
    pending.changed = { [weak locations] in locations?.follow() }
    let bluetoothPermission = ApplicationPermission(.bluetooth, on: bus)
    bluetooth = BluetoothMonitor(
      file: file, clock: clock, sender: sender, permission: bluetoothPermission,
      blueZ: BlueZClient(on: bus.loop, log: log), log: log)
    peripherals = BluetoothPublisher(
      file: file, clock: clock, sender: sender, permission: bluetoothPermission,
      server: GATTServer(on: bus.loop, log: log), reads: BluetoothReads(on: bus))
    gate = CallGate {
      [
        facts, pending, presenter, sender, server, registrations, pushes, downloads, locations, bluetooth,
        peripherals
      ] () throws(BusError) in
      try facts.load()
      try pending.load()
      try presenter.load()
      try sender.load { number, owner in
        if server.owner?.rawValue == owner { server.closeLater(number) }
      }
      try registrations.load()
      try pushes.load()
      try downloads.load()
      try locations.load()
      try bluetooth.load()
      try peripherals.load()
    }
    connector = PushConnector(
      on: bus, registrations: registrations, presenter: presenter, pushes: pushes,
      identification: identification, clock: clock, log: log, gate: gate)
    frontend = TriggersFrontend(
      access: CallerAccess(identification), identification: identification,
      notifications: .init(
        permission: permission, facts: facts, badges: badges, scheduler: scheduler, presenter: presenter,
        server: server),
      registrations: registrations, downloads: downloads,
      locations: .init(
        monitor: locations, notifications: regionNotifications, permission: locationPermission),
      bluetooth: .init(monitor: bluetooth, publisher: peripherals, permission: bluetoothPermission),
      gate: gate)
    (occurrences, happened) = AsyncStream<Occurrence>.makeStream()
    self.bus = bus
    self.log = log
    connectMissingApplications()
  }

  /// Connects all parts that store something for applications to the removal of uninstalled applications.
  private func connectMissingApplications() {
    missingApplications.applications = {
      [pending, presenter, registrations, downloads, locations, bluetooth, peripherals] in
      pending.applications.union(presenter.applications).union(registrations.applications)
        .union(downloads.applications).union(locations.applications).union(bluetooth.applications)
        .union(peripherals.applications)
    }
    missingApplications.uninstalled = {
      [
        pending, presenter, sender, badges, registrations, pushes, downloads, locations, bluetooth,
        peripherals
      ] application in
      pending.forgetAll(of: application)
      presenter.forgetAll(of: application)
      sender.forget(application)
      registrations.forgetAll(of: application)
      pushes.forget(application)
      downloads.forgetAll(of: application)
      locations.forgetAll(of: application)
      bluetooth.forgetAll(of: application)
      peripherals.forgetAll(of: application)
      EventLoop.shared.start { await badges.send(0, of: application) }
    }
  }

  /// Serves the user's bus until one of `signals` arrives, or the daemon is idle.
  ///
  /// - Parameters:
  ///   - localtime: As for `init`.
  ///   - atCommit: As for `init`.
  public static func run(
    localtime: String, log: Logger, signals: AsyncStream<Int32>,
    atCommit: (@Sendable () -> Void)? = nil
  ) async -> EndReason {
    do throws(BusError) {
      let bus = try await BusConnection.open(.user, on: .shared, reconnects: false)
      let daemon = TriggersDaemon(
        on: bus, environment: LaunchEnvironment.current(), localtime: localtime, log: log, atCommit: atCommit)
      // The bus may be lost while the daemon starts.
      let events = await bus.events()
      guard try await daemon.start() else { return .superfluous }
      ServiceNotification.ready.send()
      bus.loop.sendKeepAlives()
      let reason = await daemon.serve(events, until: signals)
      ServiceNotification.stopping.send()
      await bus.close()
      return reason
    } catch {
      return .noBus("\(error)")
    }
  }

  /// Acquires the name, and starts to deliver what is stored.
  ///
  /// - Returns: Whether this daemon owns the name.
  private func start() async throws(BusError) -> Bool {
    // A call may show a notification at once, and a notification of an earlier daemon is replaced only on its own server.
    try await server.start { [presenter] event in presenter.handle(event) }
    // The object is exported before the name is acquired, because held messages arrive with it.
    try await frontend.export(on: bus)
    try await connector.export()
    guard try await bus.requestName(TriggersInterface.busName) == .owned else { return false }
    do throws(BusError) {
      try gate.loadOnce()
    } catch {
      // Each call tries again, and reports the error.
      log.error("\(error.message)")
    }
    try await badges.start()
    timer = WallClockTimer(on: bus.loop) { [scheduler] event in
      EventLoop.shared.start { if event == .due { scheduler.check() } else { scheduler.clockChanged() } }
    }
    zoneMonitors = clock.zoneMonitors(on: bus.loop) { [scheduler] in
      EventLoop.shared.start { scheduler.clockChanged() }
    }
    registrations.ended = { [pushes] application in pushes.drop(application) }
    scheduler.changed = { [weak self] in self?.exitIfIdle() }
    presenter.removed = { [weak self] in self?.exitIfIdle() }
    sender.finished = { [weak self] in self?.exitIfIdle() }
    gate.called = { [weak self] in self?.exitIfIdle() }
    pushes.finished = { [weak self] in self?.exitIfIdle() }
    downloads.finished = { [weak self] in self?.exitIfIdle() }
    locations.changed = { [weak self] in self?.exitIfIdle() }
    bluetooth.changed = { [weak self] in self?.exitIfIdle() }
    peripherals.changed = { [weak self] in self?.exitIfIdle() }
    scheduler.start { [weak self] time in self?.timer?.set(at: time?.milliseconds) }
    log.info("ready", metadata: ["version": "\(UsherVersion.text)"])
    return true
  }

  /// A Boolean value that is `true` if there is no work for applications and no call in progress.
  ///
  /// Work is a notification that is pending or shown, a badge, a push, a download that is not paused, a monitored region or device, a
  /// published peripheral, an event that is not delivered, and an application whose removal must be confirmed.
  private var isIdle: Bool {
    gate.calls == 0 && pushes.isIdle && downloads.isIdle && locations.isIdle
      && bluetooth.isIdle && peripherals.isIdle && pending.all.isEmpty && missingApplications.isIdle
      && presenter.isIdle
      && sender.isIdle && facts.badges.isEmpty
  }

  /// Exits after a while if the daemon is idle until then.
  private func exitIfIdle() {
    idleTimer?.cancel()
    idleTimer = nil
    guard isIdle, gate.isLoaded else { return }
    idleTimer = LoopTimer(on: bus.loop, after: Self.idleTime) { [weak self] in
      guard let self else { return }
      EventLoop.shared.start { if self.isIdle { self.happened.yield(.idle) } }
    }
  }

  private func serve(
    _ events: AsyncStream<BusConnection.Event>, until signals: AsyncStream<Int32>
  ) async -> EndReason {
    let happened = happened
    let watches = [
      bus.loop.start { for await _ in signals { happened.yield(.stopRequested) } },
      bus.loop.start { for await event in events where event == .lost { happened.yield(.lostBus) } },
    ]
    defer { for watch in watches { watch.cancel() } }
    for await occurrence in occurrences {
      switch occurrence {
      case .stopRequested: return .stopped
      // With the bus the session has ended, or the service manager starts the daemon again.
      case .lostBus: return .noBus("the connection to the bus was lost")
      case .idle:
        guard await releaseNameIfIdle() else { continue }
        return .idle
      }
    }
    return .stopped
  }

  /// Releases the name if the daemon is idle, and returns whether it may exit.
  ///
  /// If a call has arrived before the release, the daemon acquires the name again. The bus starts another daemon for later calls.
  private func releaseNameIfIdle() async -> Bool {
    guard isIdle else { return false }
    guard (try? await bus.releaseName(TriggersInterface.busName)) != nil else { return true }
    // The calls that arrived before the release precede this reply.
    _ = try? await bus.call(BusDaemon.getID, at: .bus)
    guard !isIdle else { return true }
    let isOwned = (try? await bus.requestName(TriggersInterface.busName)) == .owned
    return !isOwned
  }
}
