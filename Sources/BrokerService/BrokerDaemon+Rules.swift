import BrokerCore
import Freedesktop
import Logging
import RouteFiles
import Systemd

/// Access to the policy, whose files are read on the file thread and never on the event loop.
extension BrokerDaemon {
  /// Returns the policy with the current state of the desktop's files.
  func rules() async -> PolicySnapshot { await rules(in: await currentEnvironment()) }

  /// Returns the policy with the current state of the files that `environment` leads to.
  func rules(in environment: [String: String]) async -> PolicySnapshot {
    while true {
      if let rules = keptRules.known(environment) { return rules }
      // Concurrent requests share one load.
      guard let reading = readingRules else { break }
      await reading.value
    }
    let reading = Promise<Void>()
    readingRules = reading
    defer {
      readingRules = nil
      reading.fulfil(())
    }
    let before = keptRules
    let (kept, rules, diagnostics) = await files.run {
      var (kept, diagnostics) = (before, [RouteFileDiagnostic]())
      let rules = kept.rules(environment) { diagnostics.append($0) }
      return (kept, rules, diagnostics)
    }
    keptRules = kept
    keep(keptRules.takeUnkept(), in: BaseDirectories(environment: environment))
    for diagnostic in diagnostics { log.warning("\(diagnostic)") }
    return rules
  }

  /// Stores versions of route files that have no errors, without delaying any request.
  private func keep(_ versions: [RouteFileVersion], in directories: BaseDirectories) {
    guard !versions.isEmpty else { return }
    let store = RouteVersionStore(
      directory: directories.routeVersions, existing: directories.homeRequired(by: directories.stateHome))
    loop.start { [versionFiles, log] in
      let lost = await versionFiles.run { versions.filter { !store.keep($0) } }
      guard let first = lost.first else { return }
      log.warning(
        "\(first.file.path): this version cannot be stored below \(directories.routeVersions), so it is lost when this broker exits"
      )
    }
  }

  /// Returns the source application of a caller, from its credentials and its claim.
  ///
  /// It includes the owner of the installation if a route has a condition on it.
  func source(
    of facts: CallerCredentials?, claim: ApplicationID? = nil, _ rules: PolicySnapshot
  ) async -> SourceApplication {
    let source = await identified(facts, claim: claim, rules)
    guard rules.broker.asksForInstallation, let id = source.id else { return source }
    return source.installed(by: await installation(of: id, flatpak: facts?.flatpak, rules).owner)
  }

  /// Returns the installation of an application ID.
  ///
  /// The result is cached for as long as the identification of a caller.
  func installation(
    of id: ApplicationID, flatpak: FlatpakInfo? = nil, _ rules: PolicySnapshot
  ) async -> Installation {
    // The ID may have another desktop entry by now.
    if let known = keptRules.installation(of: id, flatpak: flatpak),
      known.entry == rules.catalog.locations(of: id).first?.path
    {
      return known
    }
    let installation = await files.run { rules.installation(of: id, flatpak: flatpak) }
    keptRules.keep(installation, of: id, flatpak: flatpak)
    return installation
  }

  private func identified(
    _ facts: CallerCredentials?, claim: ApplicationID?, _ rules: PolicySnapshot
  ) async -> SourceApplication {
    var unknown: CallerCredentials.Program?
    let source = SourceApplication.identify(
      facts, claim: claim, isInstalled: rules.isInstalled,
      owners: { program in
        if let owners = keptRules.owners(of: program) { return owners }
        unknown = program
        return []
      })
    guard let program = unknown else { return source }
    let owners = await files.run { rules.owners(of: program) }
    keptRules.keep(owners, of: program)
    return SourceApplication.identify(
      facts, claim: claim, isInstalled: rules.isInstalled, owners: { _ in owners })
  }

  /// Returns the application that a caller names by ID or desktop file; `nil` if there is none.
  ///
  /// Files are read only if the text is ambiguous.
  func id(spelled text: String?, _ rules: PolicySnapshot) async -> ApplicationID? {
    guard let text else { return nil }
    let readings = ApplicationID.readings(of: text)
    guard readings.count > 1 else { return readings.first }
    return await files.run { rules.catalog.id(spelled: text) }
  }

  /// Decides the URLs of a request.
  ///
  /// Returns the groups, and the files whose MIME types are missing for a final decision.
  func decide(
    _ request: OpenRequest, _ rules: PolicySnapshot
  ) async -> (shares: [RequestGroup], paths: [[UInt8]]) {
    let broker = rules.broker
    if rules.remembersChoices(for: request) {
      let shares = broker.shares(of: request)
      return (shares, broker.filesToLookAt(for: shares))
    }
    let shares = await broker.shares(of: request, urlsPerTurn: PolicySnapshot.urlsPerTurn) {
      await files.run($0)
    }
    return (shares, await files.run { broker.filesToLookAt(for: shares) })
  }
}
