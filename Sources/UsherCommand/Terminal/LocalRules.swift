import BrokerCore
import Freedesktop
import Launching
import RouteFiles

/// The desktop's rules as this process's environment leads to them, for when the broker does not decide.
struct LocalRules {
  let environment: [String: String]
  let rules: DesktopRules
  /// What is wrong with the route files.
  let complaints: [RouteFileComplaint]

  init() {
    environment = LaunchEnvironment.current()
    var complaints: [RouteFileComplaint] = []
    let store = RouteVersionStore(folder: BaseDirectories(environment: environment).routeVersions)
    rules = DesktopRules(environment: environment) { folders, rank in
      let files = RouteFileSet(loading: RouteFolder.layer(folders, rank: rank)) { store.version(of: $0) }
      complaints += files.complaints.filter { $0.kind != .missing }
      return (files.table, files.gaps)
    }
    self.complaints = complaints
  }

  /// Who asks: without a bus there is nobody to verify it, so it is a claim at best.
  static func source(claimed id: String?) -> SourceApplication {
    id.flatMap(ThisUser.application).map { SourceApplication($0, .claimed) } ?? .unknown
  }
}
