import Freedesktop
import RouteFiles
import RouteTables

/// The routes of some folders, read again when a file changed; a broken file leaves the last sound table in place.
struct KeptRoutes {
  private struct Layer {
    var stamp: FileStamp
    var table: RouteTable<RouteAction>
    var complaints: [RouteFileComplaint]
  }

  private var layers: [[String]: Layer] = [:]

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

  /// The table of `folders`, as their files are now or were when they were last sound; `report` gets what is wrong with
  /// files that were read just now.
  mutating func table(
    of folders: [String], _ rank: RouteRank = .user, report: (RouteFileComplaint) -> Void
  ) -> RouteTable<RouteAction> {
    // Taken before the files are read: what changes meanwhile differs from it.
    let stamp = Self.stamp(of: folders)
    if let layer = layers[folders], layer.stamp == stamp { return layer.table }
    let files = RouteFileSet(loading: folders, rank: rank)
    let complaints = files.complaints.filter { $0.kind != .missing }
    for complaint in complaints { report(complaint) }
    // Routes that conflict are set aside, and the rest of their layer goes on; a file that cannot be taken is another
    // matter: half of what its author means may mean the contrary.
    let isSound = complaints.allSatisfy { $0.kind == .conflict || $0.kind == .test }
    let table = isSound ? files.table : layers[folders]?.table ?? files.table
    layers[folders] = Layer(stamp: stamp, table: table, complaints: complaints)
    return table
  }
}
