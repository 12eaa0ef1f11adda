import Freedesktop
import RouteFiles
import RouteTables

/// A cache of route tables by directories, loaded again if a file changes.
///
/// If a file has errors, its last version without errors is used.
struct RouteTableCache {
  /// The directories of a layer, whose files mean other things in another layer.
  struct LayerKey: Hashable {
    let directories: [String]
    let rank: PolicyLayer
  }

  private struct Layer {
    var stamp: FileFingerprint
    var table: RouteTable<RouteAction>
    var gaps: [RouteGap]
    var diagnostics: [RouteFileDiagnostic]
  }

  private var layers: [LayerKey: Layer] = [:]
  /// The last version without errors of each file.
  private var sound: [RouteDirectory: RouteFileVersion] = [:]
  /// The versions that must be stored for the next start of the broker.
  private(set) var unkept: [RouteFileVersion] = []

  /// The diagnostics of the current files.
  var diagnostics: [RouteFileDiagnostic] { layers.values.flatMap(\.diagnostics) }

  /// Returns whether the files of a layer are unchanged since they were last read.
  func isUnchanged(_ layer: LayerKey) -> Bool {
    guard let stamp = layers[layer]?.stamp else { return false }
    // Directories that changed within the resolution of the timestamps are listed again, because a timestamp could hide
    // a further change.
    return stamp.isSettled ? stamp.isCurrent : stamp == Self.stamp(of: layer.directories)
  }

  /// Every file and directory that the tables depend on, existing or not.
  var places: [String] { layers.keys.flatMap { Self.places(of: $0.directories) } }

  private static func stamp(of routeDirectories: [String]) -> FileFingerprint {
    FileFingerprint(of: places(of: routeDirectories))
  }

  private static func places(of routeDirectories: [String]) -> [String] {
    // The directories are included, because added and removed files change them.
    routeDirectories + RouteFileSource.paths(in: routeDirectories).filter { !routeDirectories.contains($0) }
  }

  /// Removes and returns the versions that must be stored.
  mutating func takeUnkept() -> [RouteFileVersion] {
    defer { unkept = [] }
    return unkept
  }

  /// Returns the routes of `routeDirectories` from the current files, or from their last versions without errors.
  ///
  /// Also returns the rules that are in neither and may forbid URLs.
  ///
  /// - Parameter report: Receives the diagnostics of files that are read.
  mutating func routes(
    of routeDirectories: [String], _ rank: PolicyLayer = .user, from store: RouteVersionStore? = nil,
    report: (RouteFileDiagnostic) -> Void
  ) -> (table: RouteTable<RouteAction>, gaps: [RouteGap]) {
    // The fingerprint is taken before the files are read, so that concurrent changes make them differ.
    let stamp = Self.stamp(of: routeDirectories)
    let key = LayerKey(directories: routeDirectories, rank: rank)
    if let layer = layers[key], layer.stamp == stamp { return (layer.table, layer.gaps) }
    let sound = sound
    let files = RouteFileSet(
      loading: RouteDirectory.layer(
        routeDirectories, rank: rank, isWritableByRootOnly: RootProtection().onlyRootCanWrite)
    ) { file in
      sound[file] ?? store?.version(of: file)
    }
    let diagnostics = files.diagnostics.filter { $0.kind != .missing }
    for diagnostic in diagnostics { report(diagnostic) }
    for version in files.soundVersions where self.sound[version.file] != version {
      self.sound[version.file] = version
      unkept.append(version)
    }
    if self.sound.count > BrokerLimits.maximumRouteFileVersions {
      // Files that appear and disappear must not fill the memory; the store has its own limit.
      let known = Set(files.soundVersions.map(\.file))
      self.sound = self.sound.filter { known.contains($0.key) }
    }
    layers[key] = Layer(
      stamp: stamp, table: files.table, gaps: files.gaps, diagnostics: diagnostics)
    return (files.table, files.gaps)
  }
}
