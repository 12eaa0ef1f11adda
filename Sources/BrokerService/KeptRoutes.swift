import Freedesktop
import RouteFiles
import RouteTables

/// The routes of some folders, read again when a file changed; of a file with errors the last version without any is used.
struct KeptRoutes {
  private static let mostVersions = 1_000

  private struct Layer {
    var stamp: FileStamp
    var table: RouteTable<RouteAction>
    var gaps: [RouteGap]
    var complaints: [RouteFileComplaint]
  }

  private var layers: [[String]: Layer] = [:]
  /// The last version without errors of each file.
  private var sound: [RouteFolder: RouteFileVersion] = [:]
  /// Those that are to be kept for the next start of the broker.
  private(set) var unkept: [RouteFileVersion] = []

  /// What is wrong with the files as they are.
  var complaints: [RouteFileComplaint] { layers.values.flatMap(\.complaints) }

  /// Whether the files of `folders` are as they were when they were last read.
  func isUnchanged(_ folders: [String]) -> Bool {
    guard let stamp = layers[folders]?.stamp else { return false }
    // Until the folders have rested they are listed.
    return stamp.hasRested ? stamp.isCurrent : stamp == Self.stamp(of: folders)
  }

  /// Every file and folder that the tables come from, there or not.
  var places: [String] { layers.keys.flatMap(Self.places) }

  private static func stamp(of folders: [String]) -> FileStamp {
    FileStamp(of: places(of: folders))
  }

  private static func places(of folders: [String]) -> [String] {
    // The folders, too: in them shows what comes or goes.
    folders + RouteFileSource.paths(in: folders).filter { !folders.contains($0) }
  }

  /// Takes the versions that are to be kept.
  mutating func takeUnkept() -> [RouteFileVersion] {
    defer { unkept = [] }
    return unkept
  }

  /// The routes of `folders` as their files are now, or were when they last had no errors, and the rules that are in neither and may
  /// forbid links; `report` gets what is wrong with files that were read just now.
  mutating func routes(
    of folders: [String], _ rank: RouteRank = .user, from store: RouteVersionStore? = nil,
    report: (RouteFileComplaint) -> Void
  ) -> (table: RouteTable<RouteAction>, gaps: [RouteGap]) {
    // Taken before the files are read: what changes meanwhile differs from it.
    let stamp = Self.stamp(of: folders)
    if let layer = layers[folders], layer.stamp == stamp { return (layer.table, layer.gaps) }
    let sound = sound
    let files = RouteFileSet(loading: RouteFolder.layer(folders, rank: rank)) { file in
      sound[file] ?? store?.version(of: file)
    }
    let complaints = files.complaints.filter { $0.kind != .missing }
    for complaint in complaints { report(complaint) }
    for version in files.soundVersions where self.sound[version.file] != version {
      self.sound[version.file] = version
      unkept.append(version)
    }
    if self.sound.count > Self.mostVersions {
      // Files that come and go must not fill the memory; the store has its own limit.
      let known = Set(files.soundVersions.map(\.file))
      self.sound = self.sound.filter { known.contains($0.key) }
    }
    layers[folders] = Layer(stamp: stamp, table: files.table, gaps: files.gaps, complaints: complaints)
    return (files.table, files.gaps)
  }
}
