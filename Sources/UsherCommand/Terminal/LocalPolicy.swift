import BrokerCore
import Freedesktop
import Launching
import RouteFiles

/// The desktop's rules as this process's environment leads to them, for when the broker does not decide.
struct LocalPolicy {
  let environment: [String: String]
  let rules: PolicySnapshot
  /// The route files of each layer.
  let layers: [ReadRouteLayer]
  /// What the administrator has switched off.
  let locks: Locks

  init() {
    environment = LaunchEnvironment.current()
    var layers: [ReadRouteLayer] = []
    let directories = BaseDirectories(environment: environment)
    let store = RouteVersionStore(directory: directories.routeVersions)
    let locks = Locks(environment: environment)
    self.locks = locks
    rules = PolicySnapshot(
      environment: environment, userRoutesLockedBy: locks.file(of: .userRoutes),
      grantsLockedBy: locks.file(of: .grants)
    ) { routeDirectories, rank in
      let layer = ReadRouteLayer(
        routeDirectories, rank: rank, store, locks, usersDirectories: directories.usersRouteDirectories)
      layers.append(layer)
      return (layer.files.table, layer.files.gaps)
    }
    self.layers = layers
  }

  /// What is wrong with the lock files and the route files.
  var diagnostics: [RouteFileDiagnostic] { locks.diagnostics + layers.flatMap(\.diagnostics) }

  /// Who asks: without a bus there is nobody to verify it, so it is a claim at best.
  static func source(claimed id: String?) -> SourceApplication {
    id.flatMap(UserEnvironment.application).map { SourceApplication($0, .claimed) } ?? .unknown
  }
}
