import Freedesktop
import RouteFiles
import RouteTables

/// The routes of some folders, read again when a file changed; of a file with errors the last version without any is used.
struct RouteTableCache {
  private static let mostVersions = 1_000

  private struct Layer {
    var stamp: FileFingerprint
    var table: RouteTable<RouteAction>
    var gaps: [RouteGap]
    var diagnostics: [RouteFileDiagnostic]
  }

  private var layers: [[String]: Layer] = [:]
  /// The last version without errors of each file.
  private var sound: [RouteDirectory: RouteFileVersion] = [:]
  /// Those that are to be kept for the next start of the broker.
  private(set) var unkept: [RouteFileVersion] = []

  /// What is wrong with the files as they are.
  var diagnostics: [RouteFileDiagnostic] { layers.values.flatMap(\.diagnostics) }

  /// Whether the files of `routeDirectories` are as they were when they were last read.
  func isUnchanged(_ routeDirectories: [String]) -> Bool {
    guard let stamp = layers[routeDirectories]?.stamp else { return false }
    // Until the folders have rested they are listed.
    return stamp.isSettled ? stamp.isCurrent : stamp == Self.stamp(of: routeDirectories)
  }

  /// Every file and folder that the tables come from, there or not.
  var places: [String] { layers.keys.flatMap(Self.places) }

  private static func stamp(of routeDirectories: [String]) -> FileFingerprint {
    FileFingerprint(of: places(of: routeDirectories))
  }

  private static func places(of routeDirectories: [String]) -> [String] {
    // The folders, too: in them shows what comes or goes.
    routeDirectories + RouteFileSource.paths(in: routeDirectories).filter { !routeDirectories.contains($0) }
  }

  /// Takes the versions that are to be kept.
  mutating func takeUnkept() -> [RouteFileVersion] {
    defer { unkept = [] }
    return unkept
  }

  /// The routes of `routeDirectories` as their files are now, or were when they last had no errors, and the rules that are in neither and may
  /// forbid links; `report` gets what is wrong with files that were read just now.
  mutating func routes(
    of routeDirectories: [String], _ rank: PolicyLayer = .user, from store: RouteVersionStore? = nil,
    report: (RouteFileDiagnostic) -> Void
  ) -> (table: RouteTable<RouteAction>, gaps: [RouteGap]) {
    // Taken before the files are read: what changes meanwhile differs from it.
    let stamp = Self.stamp(of: routeDirectories)
    if let layer = layers[routeDirectories], layer.stamp == stamp { return (layer.table, layer.gaps) }
    let sound = sound
    let files = RouteFileSet(loading: RouteDirectory.layer(routeDirectories, rank: rank)) { file in
      sound[file] ?? store?.version(of: file)
    }
    let diagnostics = files.diagnostics.filter { $0.kind != .missing }
    for diagnostic in diagnostics { report(diagnostic) }
    for version in files.soundVersions where self.sound[version.file] != version {
      self.sound[version.file] = version
      unkept.append(version)
    }
    if self.sound.count > Self.mostVersions {
      // Files that come and go must not fill the memory; the store has its own limit.
      let known = Set(files.soundVersions.map(\.file))
      self.sound = self.sound.filter { known.contains($0.key) }
    }
    layers[routeDirectories] = Layer(
      stamp: stamp, table: files.table, gaps: files.gaps, diagnostics: diagnostics)
    return (files.table, files.gaps)
  }
}
