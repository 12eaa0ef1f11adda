// SPDX-License-Identifier: Apache-2.0
public import Freedesktop
public import RouteTables

/// The policy of a desktop as its files are at one instant: the broker that decides by it, and the installed applications.
public struct PolicySnapshot: Sendable {
  /// The broker that decides by this policy.
  public private(set) var broker: Broker
  /// The environment whose files the policy was read from.
  public let environment: [String: String]
  /// The installed applications.
  public let catalog: ApplicationCatalog
  /// The search path of programs.
  public let programs: ProgramSearch
  /// The programs with which applications are started.
  public let launchPrograms: LaunchPrograms
  private let installed: InstalledPrograms
  private let protection: RootProtection

  /// Reads the files that `environment` leads to.
  ///
  /// - Parameters:
  ///   - environment: The XDG variables, `HOME`, `PATH` and `XDG_CURRENT_DESKTOP`.
  ///   - files: Reads the desktop's files.
  ///   - loadRoutes: Reads the route files of some directories, which may be missing, as routes of `rank`. Returns the
  ///     routes, and the invalid rules that may forbid URLs.
  ///   - userRoutesLockedBy: The file that disables the user's routes, for which `loadRoutes` then returns none.
  ///   - grantsLockedBy: The file that disables grants.
  public init(
    environment: [String: String], files: some FileReading = LocalFiles(),
    userRoutesLockedBy: String? = nil, grantsLockedBy: String? = nil,
    loadRoutes: (_ routeDirectories: [String], _ rank: PolicyLayer) -> (RouteTable<RouteAction>, [RouteGap])
  ) {
    self.environment = environment
    let directories = BaseDirectories(environment: environment)
    programs = ProgramSearch(path: environment["PATH"])
    let resolver = ApplicationResolver(directories: directories, programs: programs, files: files)
    catalog = resolver.catalog
    launchPrograms = LaunchPrograms(programs, catalog: catalog, directories: directories, files: files)
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

  /// Returns this policy with a cache of its chosen handlers.
  public func remembering(in choices: (any HandlerCaching)?) -> PolicySnapshot {
    var rules = self
    rules.broker = broker.remembering(in: choices)
    return rules
  }

  /// Returns this policy with a list of the installed browsers for requests without one.
  public func listing(_ browsers: BrowserList) -> PolicySnapshot {
    var rules = self
    rules.broker = broker.listing(browsers)
    return rules
  }

  /// Every file and directory of the desktop on which this policy depends, existing or not, without route files.
  public var places: [String] { broker.handlers.places }

  /// Returns the applications that start the given program, compared by file and not by path.
  ///
  /// The path may be a symbolic link, and a caller with its own mount namespace may have another file at the same path.
  public func owners(of program: CallerCredentials.Program) -> [ApplicationID] {
    installed.owners(of: program.file)
  }

  /// Returns the installation of an application ID.
  ///
  /// - Parameter flatpak: The Flatpak information file of the running instance, if there is one.
  public func installation(of id: ApplicationID, flatpak: FlatpakInfo? = nil) -> Installation {
    Installation(of: id, in: catalog, programs: programs, protection: protection, flatpak: flatpak)
  }

  /// Returns whether a desktop entry with this ID exists.
  public func isInstalled(_ id: ApplicationID) -> Bool { !catalog.locations(of: id).isEmpty }
}

extension BaseDirectories {
  /// The directory where the broker stores the last valid versions of route files.
  public var routeVersions: String { stateHome + "/usher/routes" }

  /// The directories of the administrator's configuration, highest precedence first.
  ///
  /// `/etc/xdg` is always included, so that an environment variable cannot disable the administrator's rules.
  public var administratorDirectories: [String] {
    configDirectories + (configDirectories.contains(Self.system) ? [] : [Self.system])
  }

  /// The route directories that the user can write to, whatever their layer.
  ///
  /// They never include the administrator's own directory, even if a variable of the user's environment names it.
  public var usersRouteDirectories: [String] {
    [configHome, dataHome].map { $0 + "/usher/routes" }.filter { $0 != Self.systemRoutes }
  }

  /// The directory whose configuration is the administrator's in every environment, and its route files.
  private static let system = "/etc/xdg"
  fileprivate static let systemRoutes = system + "/usher/routes"
}

extension RouteLayer.Owner {
  /// Returns the directories of this owner's route files, highest precedence first.
  public func routeDirectories(in directories: BaseDirectories) -> [String] {
    let parents =
      switch self {
      case .user: [directories.configHome]
      case .administrator: directories.administratorDirectories
      case .vendor: [directories.dataHome] + directories.dataDirectories
      }
    let routes = parents.map { $0 + "/usher/routes" }
    // A variable that names the administrator's directory must not make its routes those of another layer.
    return self == .administrator ? routes : routes.filter { $0 != BaseDirectories.systemRoutes }
  }
}
