// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import Freedesktop
import Launching
import Logging
import OpenSocket
import RouteFiles
import Systemd

/// The policy with the current state of the desktop's files, and what it says about applications and callers.
///
/// All files are read on a thread of their own, never on the event loop.
@BrokerActor
final class PolicyService {
  private let environment: SessionEnvironment
  private let files: FileThread
  private let log: Logger
  private var cache: PolicyCache
  /// The caches for callers on another desktop than the broker's, by `XDG_CURRENT_DESKTOP`.
  private var otherDesktops: [String: PolicyCache] = [:]
  /// The installed browsers, by the search paths of the environment.
  private var browserCache = BrowserCache()
  /// A separate thread stores versions of route files, so that a state directory that does not respond delays no
  /// request.
  private let versionFiles = FileThread()
  /// Fulfilled when the current load of the policy is finished; `nil` if none is in progress.
  private var loading: Promise<Void>?

  init(in environment: SessionEnvironment, cache: PolicyCache, files: FileThread, log: Logger) {
    self.environment = environment
    self.cache = cache
    self.files = files
    self.log = log
  }

  /// The diagnostics of the current route files and lock files.
  var diagnostics: [RouteFileDiagnostic] { cache.diagnostics }

  /// Returns the policy with the current state of the desktop's files.
  func current() async -> PolicySnapshot { await current(in: await environment.current()) }

  /// Returns the policy with the current state of the files that `environment` leads to.
  func current(in environment: [String: String]) async -> PolicySnapshot {
    await current(in: environment, ofDesktop: nil)
  }

  /// Returns the policy for a caller in `session`, whose desktop may have its own lists of default applications.
  ///
  /// - Parameter environment: The environment of programs; `nil` for the current one.
  func current(
    for session: CallerSession, in environment: [String: String]? = nil
  ) async -> PolicySnapshot {
    var own = environment ?? [:]
    if environment == nil { own = await self.environment.current() }
    let desktop = session.desktop(otherThan: own)
    if let desktop { own[SessionVariables.currentDesktop] = desktop }
    return await current(in: own, ofDesktop: desktop)
  }

  /// Returns the current policy, from the cache of a desktop; `nil` is the broker's own.
  private func current(
    in environment: [String: String], ofDesktop desktop: String?
  ) async -> PolicySnapshot {
    while true {
      let known =
        if let desktop { otherDesktops[desktop]?.known(environment) } else { cache.known(environment) }
      if let known { return known }
      // Concurrent requests share one load.
      guard let loading else { break }
      await loading.value
    }
    let loading = Promise<Void>()
    self.loading = loading
    defer {
      self.loading = nil
      loading.fulfil(())
    }
    let before = desktop.map { otherDesktops[$0] ?? cache.emptied } ?? cache
    var (loaded, policy, diagnostics) = await files.run {
      var (loaded, diagnostics) = (before, [RouteFileDiagnostic]())
      let policy = loaded.rules(environment) { diagnostics.append($0) }
      return (loaded, policy, diagnostics)
    }
    store(loaded.takeUnstored(), in: BaseDirectories(environment: environment))
    if let desktop {
      // A caller can invent any number of desktops.
      if otherDesktops.count >= BrokerLimits.maximumCachedDesktops { otherDesktops = [:] }
      otherDesktops[desktop] = loaded
    } else {
      cache = loaded
    }
    for diagnostic in diagnostics { log.warning("\(diagnostic)") }
    return policy
  }

  /// Returns the source application of a caller, from its credentials and its claim.
  ///
  /// It includes the owner of the installation if a route has a condition on it.
  ///
  /// - Parameter claim: The ID or desktop file that the caller claims.
  func source(
    of facts: CallerCredentials?, claiming claim: String? = nil, in policy: PolicySnapshot
  ) async -> SourceApplication {
    let source = await identify(facts, claim: await id(spelled: claim, in: policy), in: policy)
    return await withInstallation(source, flatpak: facts?.flatpak, in: policy)
  }

  /// Returns a source with the owner of its installation, if a route has a condition on it.
  func withInstallation(
    _ source: SourceApplication, flatpak: FlatpakInfo? = nil, in policy: PolicySnapshot
  ) async -> SourceApplication {
    guard policy.broker.asksForInstallation, let id = source.id else { return source }
    return source.installed(by: await installation(of: id, flatpak: flatpak, in: policy).owner)
  }

  /// Returns the installation of an application ID.
  ///
  /// The result is cached for as long as the identification of a caller.
  func installation(
    of id: ApplicationID, flatpak: FlatpakInfo? = nil, in policy: PolicySnapshot
  ) async -> Installation {
    // The ID may have another desktop entry by now.
    if let known = cache.installation(of: id, flatpak: flatpak),
      known.entry == policy.catalog.locations(of: id).first?.path
    {
      return known
    }
    let installation = await files.run { policy.installation(of: id, flatpak: flatpak) }
    cache.keep(installation, of: id, flatpak: flatpak)
    return installation
  }

  /// Returns the installed browsers with their profiles, for a decision by `policy` that needs them.
  func browsers(for policy: PolicySnapshot) async -> [InstalledBrowser] {
    let before = browserCache
    let (after, browsers) = await files.run {
      var cache = before
      let browsers = cache.browsers(for: policy)
      return (cache, browsers)
    }
    browserCache = after
    return browsers
  }

  /// Returns the `ask` routes with a name, and the applications and browsers that each offers.
  func askingRoutes(named name: String, in policy: PolicySnapshot) async -> [AskingRoute] {
    let browsers = policy.broker.offersBrowsers(inRouteNamed: name) ? await browsers(for: policy) : []
    return await files.run { policy.broker.askingRoutes(named: name, browsers: browsers) }
  }

  /// Returns whether a target of deliveries completes the startup sequence of its launcher itself, according to its desktop entry.
  func isStartupCompleted(byTargetsOf deliveries: [Delivery]) async -> Bool {
    let catalog = await current().catalog
    return await files.run { StartupNotification.isCompleted(byTargetsOf: deliveries, in: catalog) }
  }

  /// Returns the application that a caller names by ID or desktop file; `nil` if there is none.
  ///
  /// Files are read only if the text is ambiguous.
  func id(spelled text: String?, in policy: PolicySnapshot) async -> ApplicationID? {
    guard let text else { return nil }
    let readings = ApplicationID.readings(of: text)
    guard readings.count > 1 else { return readings.first }
    return await files.run { policy.catalog.id(spelled: text) }
  }

  private func identify(
    _ facts: CallerCredentials?, claim: ApplicationID?, in policy: PolicySnapshot
  ) async -> SourceApplication {
    var unknown: CallerCredentials.Program?
    let source = SourceApplication.identify(
      facts, claim: claim, isInstalled: policy.isInstalled,
      owners: { program in
        if let owners = cache.owners(of: program) { return owners }
        unknown = program
        return []
      })
    guard let program = unknown else { return source }
    let owners = await files.run { policy.owners(of: program) }
    cache.keep(owners, of: program)
    return SourceApplication.identify(
      facts, claim: claim, isInstalled: policy.isInstalled, owners: { _ in owners })
  }

  /// Stores versions of route files that have no errors, without delaying any request.
  private func store(_ versions: [RouteFileVersion], in directories: BaseDirectories) {
    guard !versions.isEmpty else { return }
    let store = RouteVersionStore(
      directory: directories.routeVersions, existing: directories.homeRequired(by: directories.stateHome))
    BrokerActor.loop.start { [versionFiles, log] in
      let lost = await versionFiles.run { versions.filter { !store.keep($0) } }
      guard let first = lost.first else { return }
      log.warning(
        "\(first.file.path): this version cannot be stored below \(directories.routeVersions), so it is lost when this broker exits"
      )
    }
  }
}
