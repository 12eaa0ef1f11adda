// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

/// The applications of a desktop by their IDs, and the browsers with their profiles and windows.
///
/// It is a class because several parts of the broker share it, and a copy of the catalog costs more than a reference.
final class InstalledApplications: Sendable {
  let catalog: ApplicationCatalog
  let programs: ProgramSearch
  /// The list of installed browsers for requests without one; `nil` if such a decision must be repeated.
  private let browsers: BrowserList?

  /// Creates the applications of `catalog`, whose programs are found by `programs`.
  init(in catalog: ApplicationCatalog, programs: ProgramSearch, browsers: BrowserList? = nil) {
    self.catalog = catalog
    self.programs = programs
    self.browsers = browsers
  }

  /// Returns these applications with a list of the installed browsers for requests without one.
  func listing(_ browsers: BrowserList) -> InstalledApplications {
    InstalledApplications(in: catalog, programs: programs, browsers: browsers)
  }

  /// Returns the ID of a browser with a profile or a window; `nil` for the ID of an application.
  ///
  /// A desktop file of that name precedes.
  private func browserTargetID(_ id: ApplicationID) -> BrowserTargetID? {
    guard let target = BrowserTargetID(id.rawValue), catalog.locations(of: id).isEmpty else { return nil }
    return target
  }

  /// Returns the ID of the application whose program is started for `id`: the browser's own ID if it names a profile or a window.
  func programID(of id: ApplicationID) -> ApplicationID { browserTargetID(id)?.browser ?? id }

  /// Returns whether the desktop entry whose program is started for `id` declares a scheme.
  func isDeclared(_ scheme: String, by id: ApplicationID) -> Bool {
    catalog.load(programID(of: id), programs: programs).entry?.schemes.contains(scheme) == true
  }

  /// Returns the application of an ID from an earlier decision; `nil` if it is not installed any more.
  func target(of id: ApplicationID, browsers: [InstalledBrowser]?) -> TargetApplication? {
    var request = OpenRequest(urls: [])
    request.system.browsers = browsers
    var trace = DecisionTrace(tellsSteps: false)
    guard browserTargetID(id) != nil else {
      return catalog.load(id, programs: programs).entry.map { TargetApplication(id: id, entry: $0) }
    }
    guard case .deliver(let target) = application(id, of: request, &trace) else { return nil }
    return target
  }

  /// Returns the verdict on a URL for which the caller named the target `id`.
  func asked(
    for id: ApplicationID, url: URLString, request: OpenRequest, _ trace: inout DecisionTrace
  ) -> Decision.Verdict {
    if request.caller.source.mayBeSandboxed, programID(of: id) != id {
      return .refuse(
        .denied(reason: "a sandboxed application may not request a profile or a window of a browser"))
    }
    let verdict = application(id, of: request, &trace)
    guard case .deliver(let target) = verdict, request.caller.source.mayBeSandboxed,
      !target.entry.schemes.contains(url.scheme)
    else { return verdict }
    return .refuse(
      .denied(
        reason:
          "a sandboxed application may request \(id) only for schemes that the desktop entry of \(id) declares; \(url.scheme): is not one of them"
      ))
  }

  /// Returns the application that a route names, or a rejection if it is not installed or cannot be started.
  func application(
    named name: String, performing action: String? = nil, of request: OpenRequest,
    _ trace: inout DecisionTrace
  ) -> Decision.Verdict {
    guard let id = catalog.id(spelled: name) else {
      return .refuse(.noApplication(name, reason: "it is not a desktop-file ID"))
    }
    return application(id, performing: action, of: request, &trace)
  }

  /// Returns the application with the given ID, or a rejection if it is not installed or cannot be started.
  ///
  /// The ID may also name a profile or a window of a browser.
  func application(
    _ id: ApplicationID, performing action: String? = nil, of request: OpenRequest,
    _ trace: inout DecisionTrace
  ) -> Decision.Verdict {
    guard let target = browserTargetID(id) else { return entry(of: id, performing: action, &trace) }
    guard action == nil else {
      return .refuse(
        .noApplication(
          id.rawValue, reason: "a browser with a profile or a window has no desktop actions; name the browser"
        ))
    }
    return browser(target, of: request, &trace)
  }

  /// Returns the application whose desktop entry has the given ID, or a rejection if it is not installed or cannot be started.
  func entry(
    of id: ApplicationID, performing action: String? = nil, _ trace: inout DecisionTrace
  ) -> Decision.Verdict {
    guard id != .usherHandler else {
      return .refuse(.noApplication(id.rawValue, reason: "it is Usher itself, which cannot open links"))
    }
    let (entry, refused) = catalog.load(id, programs: programs)
    for (location, refusal) in refused {
      trace.note(.candidate, "\(location.path) is skipped: \(refusal)")
    }
    guard let entry, !entry.isHidden else {
      guard let (location, refusal) = refused.first else {
        return .refuse(.noApplication(id.rawValue, reason: "it is not installed"))
      }
      let reason = "\(location.path): \(refusal)"
      return .refuse(
        refusal.isAboutProgram
          ? .noProgram(id.rawValue, reason: reason) : .noApplication(id.rawValue, reason: reason))
    }
    if let action, entry.action(action) == nil {
      let known = entry.actions().map(\.id).joined(separator: ", ").shortened()
      let reason =
        "its desktop entry has no action “\(action)”\(known.isEmpty ? "" : ", but it has \(known)")"
      return .refuse(.noApplication(id.rawValue, reason: reason))
    }
    return .deliver(TargetApplication(id: id, entry: entry, desktopAction: action))
  }

  /// Returns the verdicts on the applications of a choice, each with its name for messages.
  func verdicts(
    on choice: RouteAction.Choice, of request: OpenRequest, _ trace: inout DecisionTrace
  ) -> [(name: String, verdict: Decision.Verdict)] {
    switch choice {
    case .application(let name): return [(name, application(named: name, of: request, &trace))]
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
    if case .application(let name) = choice { return [catalog.id(spelled: name)].compactMap(\.self) }
    var request = OpenRequest(urls: [])
    request.system.browsers = browsers
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
    let search = BrowserSearch(listed, hidesNames: request.caller.source.mayBeSandboxed) {
      self.catalog.id(spelled: $0)
    }
    switch search.find(target) {
    case .failure(let refusal): return .refuse(refusal)
    case .success(let id): return browser(id, of: request, &trace)
    }
  }

  /// Returns the browser of an ID with its profile and window.
  private func browser(
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
    let search = BrowserSearch(listed, hidesNames: request.caller.source.mayBeSandboxed) { ApplicationID($0) }
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
    request.system.browsers ?? browsers?.browsers
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

extension EntryError {
  /// A Boolean value that indicates whether the entry is valid and only its program is missing.
  var isAboutProgram: Bool {
    switch self {
    case .programNotFound, .programNotExecutable, .tryExecNotFound: true
    default: false
    }
  }
}
