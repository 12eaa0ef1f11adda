// SPDX-License-Identifier: Apache-2.0
public import Freedesktop
import RouteTables

extension Broker {
  /// Returns whether a group must be decided again with the installed browsers.
  public func needsBrowsers(for groups: [RequestGroup]) -> Bool {
    groups.contains { if case .refuse(.browsersNotListed) = $0.verdict { true } else { false } }
  }

  /// Returns the ID of a browser with a profile or a window; `nil` for the ID of an application.
  ///
  /// A desktop file of that name precedes.
  func browserTargetID(_ id: ApplicationID) -> BrowserTargetID? {
    guard let target = BrowserTargetID(id.rawValue), resolver.catalog.locations(of: id).isEmpty else {
      return nil
    }
    return target
  }

  /// Returns the ID of the application whose program is started for `id`: the browser's own ID if it names a profile or a window.
  public func programID(of id: ApplicationID) -> ApplicationID { browserTargetID(id)?.browser ?? id }

  /// Returns the application of an ID from an earlier decision; `nil` if it is not installed any more.
  public func target(of id: ApplicationID, browsers: [InstalledBrowser]?) -> TargetApplication? {
    var request = OpenRequest(urls: [])
    request.browsers = browsers
    var trace = DecisionTrace(tellsSteps: false)
    guard browserTargetID(id) != nil else {
      return resolver.catalog.load(id, programs: programs).entry.map {
        TargetApplication(id: id, entry: $0)
      }
    }
    guard case .deliver(let target) = application(id, of: request, &trace) else { return nil }
    return target
  }

  /// Returns the title of an application or of a browser with a profile; `nil` if it has none.
  public func title(of id: ApplicationID, browsers: [InstalledBrowser]?) -> String? {
    target(of: id, browsers: browsers)?.entry.name()
  }
}

extension Broker {
  /// Returns the verdicts on the applications of a choice, each with its name for messages.
  func verdicts(
    on choice: RouteAction.Choice, of request: OpenRequest, _ trace: inout DecisionTrace
  ) -> [(name: String, verdict: Decision.Verdict)] {
    switch choice {
    case .application(let name): return [(name, open(name, performing: nil, of: request, &trace))]
    case .browser(let target): return [("\(target)", browser(target, of: request, &trace))]
    case .browsers:
      guard let listed = listed(for: request) else { return [("\(choice)", .refuse(.browsersNotListed))] }
      guard !listed.isEmpty else {
        return [
          ("\(choice)", .refuse(.noApplication("a browser", reason: "none is installed")))
        ]
      }
      return listed.flatMap { browser in
        let profiles = browser.knownProfiles.filter { !$0.arguments.isEmpty }
        // One profile is not a choice.
        let keys = profiles.count > 1 ? profiles.map { Optional($0.key) } : [nil]
        return keys.map { key in
          let id = BrowserTargetID(browser.id, profile: key)
          return (id.text, self.browser(id, of: request, &trace))
        }
      }
    }
  }

  /// Returns the IDs of a choice, without those that cannot be used.
  func ids(of choice: RouteAction.Choice, browsers: [InstalledBrowser]) -> [ApplicationID] {
    // The ID of an application is also a choice while it is not installed.
    if case .application(let name) = choice { return [resolver.catalog.id(spelled: name)].compactMap(\.self) }
    var request = OpenRequest(urls: [])
    request.browsers = browsers
    var trace = DecisionTrace(tellsSteps: false)
    return verdicts(on: choice, of: request, &trace).compactMap { _, verdict in
      if case .deliver(let target) = verdict { target.id } else { nil }
    }
  }

  /// Returns the browser that a route names, in its profile and window.
  func browser(
    _ target: BrowserTarget, of request: OpenRequest, _ trace: inout DecisionTrace
  ) -> Decision.Verdict {
    guard let listed = listed(for: request) else { return .refuse(.browsersNotListed) }
    let search = BrowserSearch(listed, hidesNames: request.source.mayBeSandboxed) {
      resolver.catalog.id(spelled: $0)
    }
    switch search.find(target) {
    case .failure(let refusal): return .refuse(refusal)
    case .success(let id): return browser(id, of: request, &trace)
    }
  }

  /// Returns the browser of an ID with its profile and window.
  func browser(
    _ id: BrowserTargetID, of request: OpenRequest, _ trace: inout DecisionTrace
  ) -> Decision.Verdict {
    guard !id.isPlain else { return entry(of: id.browser, &trace) }
    guard let listed = listed(for: request) else { return .refuse(.browsersNotListed) }
    let found = entry(of: id.browser, &trace)
    guard case .deliver(let application) = found else { return found }
    guard let browser = listed.first(where: { $0.id == id.browser }) else {
      return .refuse(
        .noApplication(
          id.text, reason: "\(id.browser) is not a browser that Usher knows; run: usher web browsers"))
    }
    let search = BrowserSearch(listed, hidesNames: request.source.mayBeSandboxed) { ApplicationID($0) }
    var profile: BrowserProfile?
    if let key = id.profile {
      switch search.profile(keyed: key, of: browser) {
      case .failure(let refusal): return .refuse(refusal)
      case .success(let found): profile = found
      }
    }
    do {
      let entry = try browser.entry(application.entry, in: profile, id)
      return .deliver(TargetApplication(id: id.applicationID, entry: entry, programID: id.browser))
    } catch {
      return .refuse(.noApplication(id.text, reason: "\(error)"))
    }
  }

  private func listed(for request: OpenRequest) -> [InstalledBrowser]? {
    request.browsers ?? browsers?.browsers
  }
}

extension InstalledBrowser {
  /// Returns the browser's entry with the arguments for a profile and a window.
  fileprivate func entry(
    _ entry: DesktopEntry, in profile: BrowserProfile?, _ id: BrowserTargetID
  ) throws -> DesktopEntry {
    let window = try family.arguments(isPrivate: id.isPrivate, opensNewWindow: id.opensNewWindow)
    let words = [
      profile?.name, id.isPrivate ? "private" : nil, id.opensNewWindow ? "new window" : nil,
    ].compactMap(\.self)
    return try entry.inserting(
      (profile?.arguments ?? []) + window, takesOneURL: !window.isEmpty && family.windowTakesOneURL,
      named: "\(title) – \(words.joined(separator: ", "))")
  }
}
