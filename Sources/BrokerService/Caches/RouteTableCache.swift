// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteFiles
import RouteTables
import Systemd

/// A cache of route tables by directories, loaded again if a file changes.
///
/// If a file has errors, its last version without errors is used.
struct RouteTableCache {
  /// The directories of a layer, whose files mean other things in another layer.
  struct LayerKey: Hashable {
    let directories: [String]
    let rank: PolicyLayer
    /// Indicates whether the users' routes are disabled, and with them most of the files that users can write.
    var userRoutesAreLocked = false
  }

  private struct Layer {
    var stamp: FileFingerprint
    /// The directories with the files that others than root can write, which no fingerprint of the files shows.
    var directories: [RouteDirectory]
    var table: RouteTable<RouteAction>
    var gaps: [RouteGap]
    var diagnostics: [RouteFileDiagnostic]
  }

  /// The number of routes from which on reading them leaves so much free memory that it is returned to the system.
  private static let many = 1_000

  /// The administrator's own directory of routes.
  private let system: String
  private var layers: [LayerKey: Layer] = [:]
  private var sound = SoundVersions()

  init(system: String = RouteDirectory.system) { self.system = system }

  /// The diagnostics of the current files.
  var diagnostics: [RouteFileDiagnostic] { layers.values.flatMap(\.diagnostics) }

  /// Returns whether the files of a layer are unchanged since they were last read, and can be written by as many users.
  func isUnchanged(_ layer: LayerKey, isWritableByRootOnly: (_ path: String) -> Bool) -> Bool {
    guard let known = layers[layer],
      known.directories
        == RouteDirectory.layer(
          layer.directories, rank: layer.rank, system: system, userRoutesAreLocked: layer.userRoutesAreLocked,
          isWritableByRootOnly: isWritableByRootOnly, correction: RootProtection().correction)
    else { return false }
    let stamp = known.stamp
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
    // The directories are included, because added and removed files change them, and those above, because a symbolic
    // link that leads nowhere has no status of its own.
    routeDirectories
      + routeDirectories.compactMap {
        $0.unicodeScalars.lastIndex(of: "/").map($0.prefix(upTo:)).map(String.init)
      }
      + RouteFileSource.paths(in: routeDirectories).filter { !routeDirectories.contains($0) }
  }

  /// Forgets all layers but these, so that nothing is reported about files that are in none of them.
  mutating func keepOnly(_ current: Set<LayerKey>) { layers = layers.filter { current.contains($0.key) } }

  /// Removes and returns the versions that must be stored.
  mutating func takeUnstored() -> [RouteFileVersion] { sound.takeUnstored() }

  /// Returns the routes of a layer from the current files, or from their last versions without errors.
  ///
  /// Also returns the rules that are in neither and may forbid URLs.
  ///
  /// - Parameters:
  ///   - isWritableByRootOnly: Whether only root can write a file or directory.
  ///   - report: Receives the diagnostics of files that are read.
  mutating func routes(
    of layer: LayerKey, from store: RouteVersionStore? = nil,
    isWritableByRootOnly: (_ path: String) -> Bool = { _ in true },
    report: (RouteFileDiagnostic) -> Void
  ) -> (table: RouteTable<RouteAction>, gaps: [RouteGap]) {
    // The fingerprint is taken before the files are read, so that concurrent changes make them differ.
    let stamp = Self.stamp(of: layer.directories)
    let directories = RouteDirectory.layer(
      layer.directories, rank: layer.rank, system: system, userRoutesAreLocked: layer.userRoutesAreLocked,
      isWritableByRootOnly: isWritableByRootOnly, correction: RootProtection().correction)
    if let known = layers[layer], known.stamp == stamp, known.directories == directories {
      return (known.table, known.gaps)
    }
    let sound = sound
    let files = RouteFileSet(loading: directories) { sound.last(of: $0, in: store) }
    let diagnostics = files.diagnostics.filter { $0.kind != .missing }
    for diagnostic in diagnostics { report(diagnostic) }
    self.sound.record(files.soundVersions)
    if files.table.routes.count >= Self.many { FreeMemory.release() }
    layers[layer] = Layer(
      stamp: stamp, directories: directories, table: files.table, gaps: files.gaps, diagnostics: diagnostics)
    return (files.table, files.gaps)
  }
}
