import BrokerCore
import Freedesktop
import RouteFiles

/// The rules of the desktop, read again when the environment, or a file that they come from, has changed.
struct KeptRules {
  private struct Reading {
    var environment: [String: String]
    var stamp: FileStamp
    var routeFolders: [[String]]
    var rules: DesktopRules
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
    let stamp = FileStamp(of: places)
    if let reading, reading.environment == environment, reading.stamp == stamp,
      reading.routeFolders.allSatisfy(routes.isUnchanged)
    {
      return reading.rules
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
      ? Reading(environment: environment, stamp: stamp, routeFolders: routeFolders, rules: rules) : nil
    return rules
  }
}
