// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Launching
import RouteFiles
import RouteTables
import Systemd

extension SystemSnapshot {
  /// Reads the files to which the environment leads and asks the bus; changes nothing.
  init(environment: [String: String] = LaunchEnvironment.current()) {
    let desk = RegistrationService(environment: environment)
    let files = LocalFiles()
    let catalog = ApplicationCatalog(directories: desk.directories)
    directories = desk.directories
    programs = desk.programs
    registration = desk.registration
    handlers = desk.registration.handlers()
    let named = handlers.flatMap(\.resolution.candidates).compactMap {
      ApplicationID(desktopFileName: $0.name)
    }
    let always = Set(named + [.usherHandler])
    entries = catalog.ids.flatMap { id in
      Self.entries(
        of: id, catalog: catalog, files: files, programs: desk.programs,
        evenWithoutScheme: always.contains(id))
    }
    lists = Self.lists(directories, files)
    scannedDirectories = Self.scannedDirectories(catalog, files)
    unreadable = Self.unreadable(below: directories.applicationDirectories, files)
    managedEntries = desk.registration.stampedEntries
    let originals = Self.read(managedEntries.compactMap(\.original), files)
    let copies = managedEntries.filter { entry in
      entry.original.flatMap { originals[$0] }.map { entry.isCopy(of: $0) } ?? false
    }
    shadows = catalog.ids.compactMap { EntryShadow(of: $0, in: catalog, RootProtection(files)) }
      .filter { shadow in !copies.contains { $0.path == shadow.path && $0.original == shadow.hidden } }
    self.originals = originals
    registered = desk.registration.registeredSchemes
    differences = registered.flatMap { line -> [DesktopAnswer] in
      guard let first = line.applications.first else { return [] }
      return desk.registration.differences(on: [line.scheme], from: line.isDirect ? first : .usherHandler)
        .filter { $0.origin != nil }
    }
    leftOvers = desk.registration.leftOvers
    services = Self.services(directories, files)
    let local = LocalPolicy()
    routeDiagnostics = local.diagnostics + local.layers.flatMap(\.files.permissionWarnings)
    skippedRouteFiles = RouteFileSource.skippedPaths(in: local.layers.flatMap(\.routeDirectories).map(\.path))
    let applications = RouteApplicationCheck(catalog: catalog, browsers: UserEnvironment.browsers)
    routesWithoutApplication = local.layers.filter { $0.rank != .vendor }.flatMap(\.files.table.routes)
      .compactMap { route in applications.missingTarget(of: route).map { (route, $0) } }
    routeTargets = Set(
      local.layers.flatMap(\.files.table.routes).flatMap(RouteApplicationCheck.targets)
        .flatMap(ApplicationID.readings))
    finalRoutes = local.layers.flatMap(\.files.table.routes).filter { $0.rank == .finalAdministrator }
    locks = local.locks
    bus = BusStatus.gathered()
    notifications = NotificationStatus.gathered(directories, bus)
    remote = RemoteStatus.gathered(environment)
    machineSchemes = MachineScheme.gathered(desk.registration)
    portal = bus.obstacle == nil ? PortalChoices.read(desk.directories) : .none
    portalOverrides = PortalOverride.among(portal, at: desk)
    brokerComparisons =
      bus.failure == nil
      ? BrokerComparison.gathered(of: registered.filter { !$0.isDirect }.map(\.scheme), local.rules) : []
    activation = Self.activation(directories, files)
    unitFile = activation.first?.program.flatMap { Self.unitFile(of: $0, files) }
    unsearchedData = Self.unsearchedData(directories, files)
    let state = [directories.runtimeDirectory, directories.stateHome].compactMap { $0.map { $0 + "/usher" } }
    setAside = StorageCheck.setAside(in: state, files)
  }

  private static func entries(
    of id: ApplicationID, catalog: ApplicationCatalog, files: LocalFiles, programs: ProgramSearch,
    evenWithoutScheme isAlways: Bool
  ) -> [ScannedEntry] {
    catalog.locations(of: id).enumerated().compactMap { place, location in
      var file = KeyFile()
      var obstacle: EntryError?
      switch files.read(location.path) {
      case .bytes(let bytes): file = KeyFile(bytes: bytes)
      case .missing: obstacle = .unreadable(reason: "the target of the symbolic link does not exist")
      case .unreadable(let reason): obstacle = .unreadable(reason: reason)
      }
      let entry = DesktopEntry(file: file, id: id, path: location.path)
      // An unreadable entry may handle a scheme; it is reported if the user can fix it.
      let isRelevant = isAlways || !entry.schemes.isEmpty || obstacle != nil && location.directoryIndex == 0
      guard isRelevant else { return nil }
      let directory = catalog.directories[location.directoryIndex]
      return ScannedEntry(
        id: id, path: location.path, directoryIndex: location.directoryIndex, entry: entry,
        refusal: obstacle ?? entry.refusal(programs: programs), isLink: files.isLink(location.path),
        isShadowed: place > 0,
        twins: twins(of: id, at: location.path, in: directory, files))
    }
  }

  /// Returns the other paths of an ID in a directory, in which each `-` of the ID may be a directory separator.
  private static func twins(
    of id: ApplicationID, at path: String, in directory: String, _ files: LocalFiles
  ) -> [String] {
    let name = id.desktopFileName
    let nested = name.indices.filter { name[$0] == "-" && $0 != name.startIndex }.map { dash in
      "\(directory)/\(name[..<dash])/\(name[name.index(after: dash)...])"
    }
    return (["\(directory)/\(name)"] + nested).filter { $0 != path && files.read($0) != .missing }
  }

  private static func lists(_ directories: BaseDirectories, _ files: LocalFiles) -> [ScannedList] {
    let scannedDirectories =
      [directories.configHome] + directories.configDirectories + directories.applicationDirectories
    let names = directories.currentDesktops.map { $0 + "-mimeapps.list" } + ["mimeapps.list"]
    return scannedDirectories.flatMap { directory in names.compactMap { list(directory + "/" + $0, files) } }
  }

  private static func list(_ path: String, _ files: LocalFiles) -> ScannedList? {
    switch files.read(path) {
    case .bytes(let bytes): ScannedList(path: path, file: KeyFile(bytes: bytes), obstacle: nil)
    case .missing: nil
    case .unreadable(let reason): ScannedList(path: path, file: nil, obstacle: reason)
    }
  }

  private static func scannedDirectories(_ catalog: ApplicationCatalog, _ files: LocalFiles)
    -> [ScannedDirectory]
  {
    let ids = catalog.ids
    return catalog.directories.enumerated().compactMap { index, path in
      guard files.list(path) != .missing else { return nil }
      let here = ids.filter { id in catalog.locations(of: id).contains { $0.directoryIndex == index } }
      return ScannedDirectory(
        index: index, path: path, cache: list(path + "/mimeinfo.cache", files), ids: Set(here))
    }
  }

  private static func unreadable(below scannedDirectories: [String], _ files: LocalFiles) -> [Unreadable] {
    var found: [Unreadable] = []
    var seen: Set<DirectoryIdentity> = []
    var open = scannedDirectories
    while let directory = open.popLast() {
      switch files.list(directory) {
      case .items(let items):
        for item in items {
          guard let identity = item.directory, seen.insert(identity).inserted else { continue }
          open.append(directory + "/" + item.name)
        }
      case .unreadable(let reason): found.append(Unreadable(path: directory, reason: reason))
      case .missing: break
      }
    }
    return found
  }

  private static func read(_ paths: [String], _ files: LocalFiles) -> [String: KeyFile] {
    var found: [String: KeyFile] = [:]
    for path in paths {
      if case .bytes(let bytes) = files.read(path) { found[path] = KeyFile(bytes: bytes) }
    }
    return found
  }

  private static func serviceDirectories(_ directories: BaseDirectories) -> [String] {
    let runtime = directories.runtimeDirectory.map { [$0 + "/dbus-1/services"] } ?? []
    return runtime + ([directories.dataHome] + directories.dataDirectories).map { $0 + "/dbus-1/services" }
  }

  /// Returns all activation files, highest precedence first.
  static func services(_ directories: BaseDirectories, _ files: LocalFiles) -> [ActivationFile] {
    serviceDirectories(directories).flatMap { directory -> [ActivationFile] in
      guard case .items(let items) = files.list(directory) else { return [] }
      return items.filter { $0.name.hasSuffix(".service") }.compactMap { item in
        let path = directory + "/" + item.name
        guard case .bytes(let bytes) = files.read(path) else { return nil }
        return ActivationFile(path: path, file: KeyFile(bytes: bytes))
      }
    }
  }

  /// Returns the unit file in the prefix of a program `PREFIX/bin/usherd`.
  private static func unitFile(of program: String, _ files: LocalFiles) -> String? {
    let prefix = program.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    return ["lib", "share"].map {
      (prefix + [$0, "systemd/user", BrokerProcess.unit[...]]).joined(separator: "/")
    }
    .first { files.read($0) != .missing }
  }

  /// Returns the data directory of this program `PREFIX/libexec/usher/usher-command`, if it is in none of the directories.
  private static func unsearchedData(_ directories: BaseDirectories, _ files: LocalFiles) -> String? {
    guard let program = ProcDirectory.ownProgram else { return nil }
    let prefix = program.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    let data = (prefix + ["share"]).joined(separator: "/")
    let isSearched = ([directories.dataHome] + directories.dataDirectories).contains(data)
    return isSearched || files.read(data + "/dbus-1/services/org.usher.Broker1.service") == .missing
      ? nil : data
  }

  private static func activation(_ directories: BaseDirectories, _ files: LocalFiles) -> [ActivationFile] {
    let found = serviceDirectories(directories).lazy.compactMap { directory -> ActivationFile? in
      let path = directory + "/org.usher.Broker1.service"
      guard case .bytes(let bytes) = files.read(path) else { return nil }
      return ActivationFile(path: path, file: KeyFile(bytes: bytes))
    }
    return found.first.map { [$0] } ?? []
  }
}
