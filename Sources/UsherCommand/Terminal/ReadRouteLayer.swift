// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import RouteFiles
import RouteTables

/// The route files of one layer, read as the broker reads them.
struct ReadRouteLayer {
  /// The policy layer: the user's, the administrator's, or that of programs.
  let rank: PolicyLayer
  /// The directories, highest precedence first.
  let routeDirectories: [RouteDirectory]
  /// The directories that the administrator locked, with the lock file.
  let locked: (paths: Set<String>, by: String)?
  /// The parsed files of the directories.
  let files: RouteFileSet

  /// Reads the directories of a layer; for a file with errors, reads its last valid version from `store`, if there is one.
  ///
  /// - Parameter locks: the administrator's locks, which can disable directories; `nil` reads all directories.
  init(
    _ paths: [String], rank: PolicyLayer, store: RouteVersionStore?, locks: Locks? = nil,
    usersDirectories: [String] = []
  ) {
    self.rank = rank
    let onlyRootCanWrite = RootProtection().onlyRootCanWriteNow()
    routeDirectories = RouteDirectory.layer(
      paths, rank: rank, userRoutesAreLocked: locks?.file(of: .userRoutes) != nil,
      isWritableByRootOnly: onlyRootCanWrite, correction: RootProtection().correction)
    let off = paths.filter {
      locks?.admitsRoutes(
        in: $0, usersDirectories: usersDirectories, isWritableByRootOnly: onlyRootCanWrite) == false
    }
    locked = off.isEmpty ? nil : locks?.file(of: .userRoutes).map { (Set(off), $0) }
    let read = routeDirectories.filter { !off.contains($0.path) }
    files = RouteFileSet(loading: read, lastSound: store.map { store in { store.version(of: $0) } })
  }

  /// Returns the lock file by which the administrator disabled a directory; `nil` if it is enabled.
  func lock(of directory: RouteDirectory) -> String? {
    locked.flatMap { $0.paths.contains(directory.path) ? $0.by : nil }
  }

  /// The diagnostics of the files; a missing directory is not an error.
  var diagnostics: [RouteFileDiagnostic] { files.diagnostics.filter { $0.kind != .missing } }

  /// Returns the files of a directory, or the directory itself if it cannot be read.
  func files(in directory: RouteDirectory) -> [ReadRouteFile] {
    files.files.filter { file in
      file.path == directory.path
        || file.path.prefix(upTo: file.path.unicodeScalars.lastIndex(of: "/") ?? file.path.startIndex)
          == directory.path
    }
  }

  /// Returns the effective routes of a file.
  func routes(of file: ReadRouteFile) -> [Route<RouteAction>] {
    files.table.routes.filter { $0.location.file == file.path }
  }
}
