import BrokerCore
import Freedesktop
import Launching
import RouteFiles

/// The desktop's rules as this process's environment leads to them, for when the broker does not decide.
struct LocalRules {
  let environment: [String: String]
  let rules: DesktopRules
  /// The route files of each layer.
  let layers: [ReadRouteLayer]

  init() {
    environment = LaunchEnvironment.current()
    var layers: [ReadRouteLayer] = []
    let store = RouteVersionStore(folder: BaseDirectories(environment: environment).routeVersions)
    rules = DesktopRules(environment: environment) { folders, rank in
      let layer = ReadRouteLayer(folders, rank: rank, store)
      layers.append(layer)
      return (layer.files.table, layer.files.gaps)
    }
    self.layers = layers
  }

  /// What is wrong with the route files.
  var complaints: [RouteFileComplaint] { layers.flatMap(\.complaints) }

  /// Who asks: without a bus there is nobody to verify it, so it is a claim at best.
  static func source(claimed id: String?) -> SourceApplication {
    id.flatMap(ThisUser.application).map { SourceApplication($0, .claimed) } ?? .unknown
  }
}
