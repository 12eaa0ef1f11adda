import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import RouteFiles
import RouteTables

/// The rules of this desktop as its files are at one moment.
struct DesktopRules: Sendable {
  let broker: BrokerCore.Broker
  let catalog: ApplicationCatalog
  let programs: ProgramSearch
  /// What is wrong with the route files.
  let complaints: [String]

  /// Reads the files that `environment` leads to.
  init(environment: [String: String]) {
    let directories = BaseDirectories(environment: environment)
    programs = ProgramSearch(path: environment["PATH"])
    let resolver = SchemeResolver(directories: directories, programs: programs)
    catalog = resolver.catalog
    let loaded = RouteLayers.load(directories)
    complaints = loaded.complaints
    broker = Broker(layers: loaded.layers, resolver: resolver, programs: programs)
  }

  /// The applications whose program is the one at `path`.
  func owners(of path: String) -> [ApplicationID] {
    catalog.ids.filter { id in
      guard let entry = try? catalog.entry(id), !entry.isHidden, let exec = entry.exec,
        let name = (try? ExecLine(exec))?.program
      else { return false }
      return programs.find(name, workingDirectory: entry.workingDirectory) == path
    }
  }

  func isInstalled(_ id: ApplicationID) -> Bool { !catalog.locations(of: id).isEmpty }
}
