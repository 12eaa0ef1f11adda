public import Freedesktop
public import RouteTables

/// The rules of a desktop as its files are at one moment: the broker that decides by them, and who is installed.
public struct PolicySnapshot: Sendable {
  /// Decides by these rules.
  public private(set) var broker: Broker
  /// The applications that are installed.
  public let catalog: ApplicationCatalog
  /// Where programs are looked for.
  public let programs: ProgramSearch
  private let installed: InstalledPrograms
  private let protection: RootProtection

  /// Reads the files that `environment` leads to.
  ///
  /// - Parameters:
  ///   - environment: the XDG variables, `HOME`, `PATH` and `XDG_CURRENT_DESKTOP`.
  ///   - files: where the desktop's files are read.
  ///   - loadRoutes: reads the route files of some folders, of which any may be missing, as the word of `rank`; gives
  ///     the routes, and the rules that could not be read and may forbid links.
  ///   - userRoutesLockedBy: the file that switches the user's routes off, of which `loadRoutes` then gives none.
  ///   - grantsLockedBy: the file that switches grants off.
  public init(
    environment: [String: String], files: some FileReading = LocalFiles(),
    userRoutesLockedBy: String? = nil, grantsLockedBy: String? = nil,
    loadRoutes: (_ routeDirectories: [String], _ rank: PolicyLayer) -> (RouteTable<RouteAction>, [RouteGap])
  ) {
    let directories = BaseDirectories(environment: environment)
    programs = ProgramSearch(path: environment["PATH"])
    let resolver = ApplicationResolver(directories: directories, programs: programs, files: files)
    catalog = resolver.catalog
    let layers = RouteLayer.Owner.allCases.map { owner in
      let (table, gaps) = loadRoutes(owner.routeDirectories(in: directories), owner.rank(isFinal: false))
      return RouteLayer(
        owner: owner, table: table, gaps: gaps, lockedBy: owner == .user ? userRoutesLockedBy : nil)
    }
    protection = RootProtection(files)
    installed = InstalledPrograms(of: resolver.catalog, foundBy: programs)
    broker = Broker(
      layers: layers, resolver: resolver, programs: programs, grantsLockedBy: grantsLockedBy)
  }

  /// The same rules, which remember in `choices` what they have chosen.
  public func remembering(in choices: (any HandlerCaching)?) -> PolicySnapshot {
    var rules = self
    rules.broker.choices = choices
    return rules
  }

  /// Every file and folder of the desktop's that these rules come from, there or not; route files are not among them.
  public var places: [String] { broker.resolver.places }

  /// The applications whose program is this one: the same file, whatever it is called.
  ///
  /// The path may be a link here, and whoever has folders of its own may have another file at the same path.
  public func owners(of program: CallerCredentials.Program) -> [ApplicationID] {
    installed.owners(of: program.file)
  }

  /// What this ID stands for, and whether root alone can change that; `flatpak` is what Flatpak says of the instance that runs.
  public func installation(of id: ApplicationID, flatpak: FlatpakInfo? = nil) -> Installation {
    Installation(of: id, in: catalog, programs: programs, protection: protection, flatpak: flatpak)
  }

  /// Whether a desktop entry of this ID exists.
  public func isInstalled(_ id: ApplicationID) -> Bool { !catalog.locations(of: id).isEmpty }
}

extension BaseDirectories {
  /// Where the broker stores the last versions of route files that had no errors.
  public var routeVersions: String { stateHome + "/usher/routes" }

  /// The directories of the administrator's configuration, highest precedence first.
  ///
  /// `/etc/xdg` is always among them: not even a file that sets the environment takes it away.
  public var administratorDirectories: [String] {
    configDirectories + (configDirectories.contains("/etc/xdg") ? [] : ["/etc/xdg"])
  }

  /// The directories of routes that are the user's own, whatever the layer.
  public var usersRouteDirectories: [String] { [configHome, dataHome].map { $0 + "/usher/routes" } }
}

extension RouteLayer.Owner {
  /// Where this owner's route files are, highest precedence first.
  public func routeDirectories(in directories: BaseDirectories) -> [String] {
    let parents =
      switch self {
      case .user: [directories.configHome]
      case .administrator: directories.administratorDirectories
      case .vendor: [directories.dataHome] + directories.dataDirectories
      }
    return parents.map { $0 + "/usher/routes" }
  }
}
