// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import RouteFiles
import RouteTables
import Systemd

/// A cache of the policy, which is loaded again if the environment or one of its files changes.
struct PolicyCache {
  private struct Reading {
    var environment: [String: String]
    var stamp: FileFingerprint
    var layers: [ReadLayer]
    var locks: Locks
    var rules: PolicySnapshot
    /// The time of the last complete check, and the monitor that reports changes since then.
    var looked: ContinuousClock.Instant
    var watch = Watch.off { didSet { rules = rules.remembering(in: watch.choices) } }
    /// The applications that start each program, by file.
    var owners = RecentValues<String, [ApplicationID]>(
      trust: BrokerLimits.callerTrust, capacity: BrokerLimits.maximumCachedPrograms)
    var installations = RecentValues<InstallationKey, Installation>(
      trust: BrokerLimits.callerTrust, capacity: BrokerLimits.maximumCachedPrograms)
  }

  /// A layer as it was read: all its directories, and those that the locks admit.
  private struct ReadLayer {
    let directories: [String]
    let admitted: RouteTableCache.LayerKey
  }

  private struct InstallationKey: Hashable {
    let id: ApplicationID
    let flatpak: FlatpakInfo?
  }

  /// The monitor of changes, used while requests arrive in quick succession.
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
  /// The files of the last load, whose fingerprint is taken before the next load so that concurrent changes are detected.
  private var places: [String] = []
  private var routes = RouteTableCache()
  private var locks = LockCache()

  /// Creates a cache that loads the policy through `files`.
  ///
  /// - Parameters:
  ///   - settling: The minimum time since the last change of a file for a policy to be cached.
  ///   - trust: The time for which the monitor alone is sufficient. A complete check then finds changes that it cannot
  ///     report.
  init(
    _ files: some FileReading = LocalFiles(), settling: Duration = .milliseconds(100),
    trust: Duration = BrokerLimits.fileTrust
  ) {
    self.files = files
    self.settling = settling
    self.trust = trust
  }

  /// A cache for another environment, which has loaded no policy yet.
  var emptied: PolicyCache { PolicyCache(files, settling: settling, trust: trust) }

  /// The diagnostics of the current route files and lock files.
  var diagnostics: [RouteFileDiagnostic] { locks.locks.diagnostics + routes.diagnostics }

  /// Removes and returns the versions of route files and lock files that must be stored for the next start of the broker.
  mutating func takeUnstored() -> [RouteFileVersion] { locks.takeUnstored() + routes.takeUnstored() }

  /// Returns the cached policy if it is valid without reading a file; otherwise `nil`.
  mutating func known(_ environment: [String: String]) -> PolicySnapshot? {
    guard let looked = reading?.looked, reading?.environment == environment, .now - looked < trust,
      case .on(let choices)? = reading?.watch, choices.isQuietNow
    else { return nil }
    // Assigning the equal value shares its storage, so that the next comparison is immediate.
    reading?.environment = environment
    return reading?.rules
  }

  /// Returns the policy with the current state of the files.
  ///
  /// - Parameter report: Receives the diagnostics of route files that are read.
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
        // Assigning the equal value shares its storage, so that the next comparison is immediate.
        reading?.environment = environment
        if let rules = reading?.rules { return rules }
      case .off where isRecent:
        // The monitor is created before the fingerprint, so that later changes are reported.
        watch = HandlerCache(watching: places + routes.places, trust: trust).map { .on($0) } ?? .impossible
      case .off, .on, .impossible: break
      }
    }
    let stamp = FileFingerprint(of: places)
    let directories = BaseDirectories(environment: environment)
    let store = RouteVersionStore(directory: directories.routeVersions)
    // Owners and modes of directories above the files have no fingerprint, so they are examined each time.
    let isWritableByRootOnly = RootProtection().onlyRootCanWriteNow()
    let locks = locks.read(
      in: directories.administratorDirectories, from: store, isWritableByRootOnly: isWritableByRootOnly,
      report: report)
    func admitted(_ layer: [String], _ rank: PolicyLayer) -> RouteTableCache.LayerKey {
      let admitted = layer.filter {
        locks.admitsRoutes(
          in: $0, usersDirectories: directories.usersRouteDirectories,
          isWritableByRootOnly: isWritableByRootOnly)
      }
      return RouteTableCache.LayerKey(
        directories: admitted, rank: rank, userRoutesAreLocked: locks.file(of: .userRoutes) != nil)
    }
    if var known = reading, known.environment == environment, known.stamp == stamp, known.locks == locks,
      known.layers.allSatisfy({ layer in
        admitted(layer.directories, layer.admitted.rank) == layer.admitted
          && routes.isUnchanged(layer.admitted, isWritableByRootOnly: isWritableByRootOnly)
      })
    {
      known.looked = now
      known.watch = watch
      reading = known
      return known.rules
    }
    var layers: [ReadLayer] = []
    let rules = PolicySnapshot(
      environment: environment, files: files, userRoutesLockedBy: locks.file(of: .userRoutes),
      grantsLockedBy: locks.file(of: .grants)
    ) { layer, rank in
      let admitted = admitted(layer, rank)
      layers.append(ReadLayer(directories: layer, admitted: admitted))
      return routes.routes(
        of: admitted, from: store, isWritableByRootOnly: isWritableByRootOnly,
        report: report)
    }
    routes.keepOnly(Set(layers.map(\.admitted)))
    let placesNow = rules.places + directories.administratorDirectories.map(Locks.path)
    let isKnown = placesNow == places && stamp.rest.map { $0 >= settling } ?? true
    places = placesNow
    reading =
      isKnown
      ? Reading(
        environment: environment, stamp: stamp, layers: layers, locks: locks, rules: rules, looked: now)
      : nil
    return rules
  }

  /// Returns the applications that start a program, if they were looked up recently; otherwise `nil`.
  func owners(of program: CallerCredentials.Program) -> [ApplicationID]? { reading?.owners[program.file] }

  /// Caches the applications that start a program, according to the last policy.
  mutating func keep(_ owners: [ApplicationID], of program: CallerCredentials.Program) {
    reading?.owners.keep(owners, for: program.file)
  }

  /// Returns the installation of an ID, if it was looked up recently; otherwise `nil`.
  func installation(of id: ApplicationID, flatpak: FlatpakInfo?) -> Installation? {
    reading?.installations[InstallationKey(id: id, flatpak: flatpak)]
  }

  /// Caches the installation of an ID, according to the last policy.
  mutating func keep(_ installation: Installation, of id: ApplicationID, flatpak: FlatpakInfo?) {
    reading?.installations.keep(installation, for: InstallationKey(id: id, flatpak: flatpak))
  }
}
