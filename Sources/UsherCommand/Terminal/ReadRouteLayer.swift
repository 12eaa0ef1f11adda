import BrokerCore
import RouteFiles
import RouteTables

/// The route files of one layer, read as the broker reads them.
struct ReadRouteLayer {
  /// Whose files they are: the user's, the administrator's, or those of programs.
  let rank: PolicyLayer
  /// The folders, highest precedence first.
  let routeDirectories: [RouteDirectory]
  /// The folders that the administrator has switched off, and the file that does.
  let locked: (paths: Set<String>, by: String)?
  /// What they hold.
  let files: RouteFileSet

  /// Reads the folders of a layer; of a file with errors, the version of `store`, if there is one.
  ///
  /// - Parameter locks: the administrator's locks, which may switch folders off; `nil` reads them all.
  init(
    _ paths: [String], rank: PolicyLayer, _ store: RouteVersionStore?, _ locks: Locks? = nil,
    usersDirectories: [String] = []
  ) {
    self.rank = rank
    routeDirectories = RouteDirectory.layer(paths, rank: rank)
    let off = paths.filter { locks?.admitsRoutes(in: $0, usersDirectories: usersDirectories) == false }
    locked = off.isEmpty ? nil : locks?.file(of: .userRoutes).map { (Set(off), $0) }
    let read = routeDirectories.filter { !off.contains($0.path) }
    files = RouteFileSet(loading: read, lastSound: store.map { store in { store.version(of: $0) } })
  }

  /// The file by which the administrator has switched a folder off.
  func lock(of directory: RouteDirectory) -> String? {
    locked.flatMap { $0.paths.contains(directory.path) ? $0.by : nil }
  }

  /// What is wrong with the files; a folder that is missing is not wrong.
  var diagnostics: [RouteFileDiagnostic] { files.diagnostics.filter { $0.kind != .missing } }

  /// The files of a folder; the folder itself, where it cannot be read.
  func files(in directory: RouteDirectory) -> [ReadRouteFile] {
    files.files.filter { file in
      file.path == directory.path
        || file.path.prefix(upTo: file.path.lastIndex(of: "/") ?? file.path.startIndex) == directory.path
    }
  }

  /// The routes of a file that are in force.
  func routes(of file: ReadRouteFile) -> [Route<RouteAction>] {
    files.table.routes.filter { $0.location.file == file.path }
  }
}
