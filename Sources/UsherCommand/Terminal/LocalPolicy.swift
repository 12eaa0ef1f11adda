// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import Launching
import RouteFiles
import WebLinks

/// The policy in this process's environment, for decisions without the broker.
struct LocalPolicy {
  let environment: [String: String]
  let rules: PolicySnapshot
  /// The route files of each layer.
  let layers: [ReadRouteLayer]
  /// The administrator's locks.
  let locks: Locks

  init() {
    environment = LaunchEnvironment.current()
    var layers: [ReadRouteLayer] = []
    let directories = BaseDirectories(environment: environment)
    let store = RouteVersionStore(directory: directories.routeVersions)
    let locks = Locks(environment: environment)
    self.locks = locks
    let policy = PolicySnapshot(
      environment: environment, userRoutesLockedBy: locks.file(of: .userRoutes),
      grantsLockedBy: locks.file(of: .grants)
    ) { routeDirectories, rank in
      let layer = ReadRouteLayer(
        routeDirectories, rank: rank, store: store, locks: locks,
        usersDirectories: directories.usersRouteDirectories)
      layers.append(layer)
      return (layer.files.table, layer.files.gaps)
    }
    rules = policy.listing(
      BrowserList { [environment] in BrowserDirectory(environment: environment).browsers })
    self.layers = layers
  }

  /// The diagnostics of the lock files and the route files.
  var diagnostics: [RouteFileDiagnostic] { locks.diagnostics + layers.flatMap(\.diagnostics) }

  /// Returns the source application: at most a claim, because without a bus the caller cannot be verified.
  static func source(claimed id: String?) -> SourceApplication {
    id.flatMap(UserEnvironment.application).map { SourceApplication($0, .claimed) } ?? .unknown
  }
}
