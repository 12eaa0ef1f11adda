import BrokerCore
import Freedesktop
import RouteFiles
import Systemd

/// The rules of the desktop, read again when the environment, or a file that they come from, has changed.
struct PolicyCache {
  private struct Reading {
    var environment: [String: String]
    var stamp: FileFingerprint
    var routeDirectories: [[String]]
    var rules: PolicySnapshot
    /// When all of it was last looked at, and what tells since then whether anything has changed.
    var looked: ContinuousClock.Instant
    var watch = Watch.off { didSet { rules = rules.remembering(in: watch.choices) } }
    /// Whose each program is, by its file, and when that was looked up.
    var owners: [String: (ids: [ApplicationID], at: ContinuousClock.Instant)] = [:]
    /// What IDs stand for, and when that was looked up.
    var installations: [InstallationKey: (installation: Installation, at: ContinuousClock.Instant)] = [:]
  }

  private struct InstallationKey: Hashable {
    let id: ApplicationID
    let flatpak: FlatpakInfo?
  }

  /// What tells of changes while links follow each other quickly.
  private enum Watch {
    case off
    case on(HandlerCache)
    case impossible

    var choices: HandlerCache? { if case .on(let choices) = self { choices } else { nil } }
  }

  private let files: any FileReading
  private let settling: Duration
  private let trust: Duration
  private var reading: Reading?
  /// What was read the last time: stamped before it is read the next time, for what changes meanwhile must show.
  private var places: [String] = []
  private var routes = RouteTableCache()
  private var locks = KeptLocks()

  /// Rules that are read through `files`, and kept when these have been as they are for as long as `settling`.
  ///
  /// - Parameter trust: how long it is enough that no change was told: a look at all of it finds what nobody tells of.
  init(
    _ files: some FileReading = LocalFiles(), settling: Duration = .milliseconds(100),
    trust: Duration = .seconds(1)
  ) {
    self.files = files
    self.settling = settling
    self.trust = trust
  }

  /// What is wrong with the route files and the lock files as they are.
  var diagnostics: [RouteFileDiagnostic] { locks.locks.diagnostics + routes.diagnostics }

  /// Takes the versions of route files and lock files that are to be kept for the next start of the broker.
  mutating func takeUnkept() -> [RouteFileVersion] { locks.takeUnstored() + routes.takeUnkept() }

  /// The rules where nothing has to be read to know that they hold; `nil` where something has.
  mutating func known(_ environment: [String: String]) -> PolicySnapshot? {
    guard let looked = reading?.looked, reading?.environment == environment, .now - looked < trust,
      case .on(let choices)? = reading?.watch, choices.isQuietNow
    else { return nil }
    // The same, and next time seen to be so at once.
    reading?.environment = environment
    return reading?.rules
  }

  /// The rules as the files are now; `report` gets what is wrong with route files that were read just now.
  mutating func rules(
    _ environment: [String: String], report: (RouteFileDiagnostic) -> Void
  ) -> PolicySnapshot {
    let now = ContinuousClock.now
    var watch = Watch.off
    if let looked = reading?.looked, reading?.environment == environment {
      let isRecent = now - looked < trust
      watch = reading?.watch ?? .off
      switch watch {
      case .on(let choices) where !choices.hasNoChanges: watch = .off
      case .on where isRecent:
        // The same, and next time seen to be so at once.
        reading?.environment = environment
        if let rules = reading?.rules { return rules }
      case .off where isRecent:
        // Before the stamp: what changes after that is told.
        watch = HandlerCache(watching: places + routes.places, trust: trust).map { .on($0) } ?? .impossible
      case .off, .on, .impossible: break
      }
    }
    let stamp = FileFingerprint(of: places)
    if var known = reading, known.environment == environment, known.stamp == stamp,
      known.routeDirectories.allSatisfy(routes.isUnchanged)
    {
      known.looked = now
      known.watch = watch
      reading = known
      return known.rules
    }
    var routeDirectories: [[String]] = []
    let directories = BaseDirectories(environment: environment)
    let store = RouteVersionStore(directory: directories.routeVersions)
    let locks = locks.read(in: directories.administratorDirectories, from: store, report: report)
    let rules = PolicySnapshot(
      environment: environment, files: files, userRoutesLockedBy: locks.file(of: .userRoutes),
      grantsLockedBy: locks.file(of: .grants)
    ) { layer, rank in
      let admitted = layer.filter {
        locks.admitsRoutes(in: $0, usersDirectories: directories.usersRouteDirectories)
      }
      routeDirectories.append(admitted)
      return routes.routes(of: admitted, rank, from: store, report: report)
    }
    let placesNow = rules.places + directories.administratorDirectories.map(Locks.path)
    let isKnown = placesNow == places && stamp.rest.map { $0 >= settling } ?? true
    places = placesNow
    reading =
      isKnown
      ? Reading(
        environment: environment, stamp: stamp, routeDirectories: routeDirectories, rules: rules, looked: now)
      : nil
    return rules
  }

  /// The applications whose program is this one, where that was found out within the last second.
  ///
  /// As old may be what is known of a caller.
  func owners(of program: CallerCredentials.Program) -> [ApplicationID]? {
    guard let known = reading?.owners[program.file], .now - known.at < .seconds(1) else { return nil }
    return known.ids
  }

  /// Keeps whose program this is, by the rules that were asked for last.
  mutating func keep(_ owners: [ApplicationID], of program: CallerCredentials.Program) {
    // Whoever starts program after program must not fill the memory.
    if reading?.owners.count ?? 0 >= Self.mostPrograms { reading?.owners = [:] }
    reading?.owners[program.file] = (owners, .now)
  }

  /// What an ID stands for, where that was found out within the last second.
  func installation(of id: ApplicationID, flatpak: FlatpakInfo?) -> Installation? {
    guard let known = reading?.installations[InstallationKey(id: id, flatpak: flatpak)],
      .now - known.at < .seconds(1)
    else { return nil }
    return known.installation
  }

  /// Keeps what an ID stands for, by the rules that were asked for last.
  mutating func keep(_ installation: Installation, of id: ApplicationID, flatpak: FlatpakInfo?) {
    if reading?.installations.count ?? 0 >= Self.mostPrograms { reading?.installations = [:] }
    reading?.installations[InstallationKey(id: id, flatpak: flatpak)] = (installation, .now)
  }

  private static let mostPrograms = 64
}
