import BrokerCore
import Freedesktop
import RouteFiles
import Systemd

/// The rules of the desktop, read again when the environment, or a file that they come from, has changed.
struct KeptRules {
  private struct Reading {
    var environment: [String: String]
    var stamp: FileStamp
    var routeFolders: [[String]]
    var rules: DesktopRules
    /// When all of it was last looked at, and what tells since then whether anything has changed.
    var looked: ContinuousClock.Instant
    var watch = Watch.off
    /// Whose each program is, by its file, and when that was looked up.
    var owners: [String: (ids: [ApplicationID], at: ContinuousClock.Instant)] = [:]
  }

  /// What tells of changes while links follow each other quickly.
  private enum Watch {
    case off
    case on(PathWatch)
    case impossible
  }

  private let files: any FileReading
  private let settling: Duration
  private var reading: Reading?
  /// What was read the last time: stamped before it is read the next time, for what changes meanwhile must show.
  private var places: [String] = []
  private var routes = KeptRoutes()

  /// Rules that are read through `files`, and kept when these have been as they are for as long as `settling`.
  init(_ files: some FileReading = LocalFiles(), settling: Duration = .milliseconds(100)) {
    self.files = files
    self.settling = settling
  }

  /// What is wrong with the route files as they are.
  var complaints: [RouteFileComplaint] { routes.complaints }

  /// The rules as the files are now; `report` gets what is wrong with route files that were read just now.
  mutating func rules(
    _ environment: [String: String], report: (RouteFileComplaint) -> Void
  ) -> DesktopRules {
    let now = ContinuousClock.now
    var watch = Watch.off
    if let reading, reading.environment == environment {
      let isRecent = now - reading.looked < Self.trust
      watch = reading.watch
      switch watch {
      case .on(let changes) where !changes.isQuiet(): watch = .off
      case .on where isRecent: return reading.rules
      case .off where isRecent:
        // Before the stamp: what changes after that is told.
        watch = PathWatch(of: places + routes.places).map { .on($0) } ?? .impossible
      case .off, .on, .impossible: break
      }
    }
    let stamp = FileStamp(of: places)
    if let known = reading, known.environment == environment, known.stamp == stamp,
      known.routeFolders.allSatisfy(routes.isUnchanged)
    {
      reading?.looked = now
      reading?.watch = watch
      return known.rules
    }
    var routeFolders: [[String]] = []
    let rules = DesktopRules(environment: environment, files: files) { folders, rank in
      routeFolders.append(folders)
      return routes.table(of: folders, rank, report: report)
    }
    let isKnown = rules.places == places && stamp.rest.map { $0 >= settling } ?? true
    places = rules.places
    reading =
      isKnown
      ? Reading(environment: environment, stamp: stamp, routeFolders: routeFolders, rules: rules, looked: now)
      : nil
    return rules
  }

  /// The applications whose program is this one, by the `rules` that were asked for last, as the entries were at most a second
  /// ago: as old as what is known of a caller may be.
  mutating func owners(of program: CallerFacts.Program, _ rules: DesktopRules) -> [ApplicationID] {
    let now = ContinuousClock.now
    if let known = reading?.owners[program.file], now - known.at < .seconds(1) { return known.ids }
    let ids = rules.owners(of: program)
    // Whoever starts program after program must not fill the memory.
    if reading?.owners.count ?? 0 >= Self.mostPrograms { reading?.owners = [:] }
    reading?.owners[program.file] = (ids, now)
    return ids
  }

  private static let mostPrograms = 64

  /// How long it is enough that no change was told: a look at all of it finds what nobody tells of.
  private static let trust = Duration.seconds(1)
}
