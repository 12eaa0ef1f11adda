// SPDX-License-Identifier: Apache-2.0
public import Freedesktop
public import RouteTables

/// A search for the browser and the profile that a route names.
public struct BrowserSearch {
  private let browsers: [InstalledBrowser]
  private let hidesNames: Bool
  private let id: (String) -> ApplicationID?

  /// Creates a search in these browsers, most preferred first.
  ///
  /// - Parameters:
  ///   - hidesNames: Whether rejections do not name browsers and profiles, because a sandboxed application reads them.
  ///   - id: Returns the ID that a text names.
  public init(
    _ browsers: [InstalledBrowser], hidesNames: Bool = false, id: @escaping (String) -> ApplicationID?
  ) {
    self.browsers = browsers
    self.hidesNames = hidesNames
    self.id = id
  }

  /// Returns the ID of the browser that a target names, with its profile and window, or the reason why there is none.
  public func find(_ target: BrowserTarget) -> Result<BrowserTargetID, Refusal> {
    guard let browser = browser(named: target.browser) else {
      return .failure(.noApplication(target.browser, reason: whyNoBrowser(target.browser)))
    }
    var key: String?
    if let name = target.profile {
      switch profile(named: name, of: browser) {
      case .failure(let refusal): return .failure(refusal)
      case .success(let found): key = found.key
      }
    }
    do {
      _ = try browser.family.arguments(isPrivate: target.isPrivate, opensNewWindow: target.opensNewWindow)
    } catch {
      return .failure(.noApplication(browser.id.rawValue, reason: "\(error)"))
    }
    return .success(
      BrowserTargetID(
        browser.id, profile: key, isPrivate: target.isPrivate, opensNewWindow: target.opensNewWindow))
  }

  /// Returns the first browser of a family, or the browser with an ID.
  private func browser(named name: String) -> InstalledBrowser? {
    if let family = BrowserFamily(rawValue: name), let first = browsers.first(where: { $0.family == family })
    {
      return first
    }
    let id = id(name)
    return browsers.first { $0.id == id }
  }

  private func whyNoBrowser(_ name: String) -> String {
    let reason =
      BrowserFamily(rawValue: name) == nil ? "it is not a browser that Usher knows" : "it is not installed"
    guard !hidesNames else { return reason }
    let known = browsers.map {
      $0.family.name == $0.id.rawValue ? $0.family.name : "\($0.family.name) (\($0.id))"
    }
    return "\(reason); \(Self.listing("the installed browsers are", known))"
  }

  /// Returns the profile of a browser with a key or a name, or the reason why there is none.
  func profile(named name: String, of browser: InstalledBrowser) -> Result<BrowserProfile, Refusal> {
    profile(of: browser, named: name) { profiles in
      if let keyed = profiles.first(where: { $0.key == name }) { return [keyed] }
      return profiles.filter { $0.name == name }
    }
  }

  /// Returns the profile of a browser with a key, or the reason why there is none.
  func profile(keyed key: String, of browser: InstalledBrowser) -> Result<BrowserProfile, Refusal> {
    profile(of: browser, named: key) { $0.filter { $0.key == key } }
  }

  private func profile(
    of browser: InstalledBrowser, named name: String, _ select: ([BrowserProfile]) -> [BrowserProfile]
  ) -> Result<BrowserProfile, Refusal> {
    func failure(_ reason: String) -> Result<BrowserProfile, Refusal> {
      .failure(
        .noApplication(
          hidesNames ? browser.id.rawValue : "\(browser.id) with the profile “\(name)”", reason: reason))
    }
    let profiles: [BrowserProfile]
    switch browser.profiles {
    case .none: return failure("\(browser.family.title) has no profiles that can be selected")
    case .unreadable(let reason):
      return failure(hidesNames ? "its profiles cannot be read" : "its profiles cannot be read: \(reason)")
    case .known(let known): profiles = known
    }
    let found = select(profiles)
    guard let profile = found.first else {
      guard !hidesNames else { return failure("it has no such profile") }
      let known = profiles.map { $0.name == $0.key ? $0.name : "\($0.name) (\($0.key))" }
      return failure("it has no such profile; \(Self.listing("its profiles are", known))")
    }
    guard found.count == 1 else {
      let keys = found.map(\.key).joined(separator: ", ")
      return failure(
        hidesNames
          ? "several profiles have that name"
          : "several profiles have that name; write one of the keys \(keys)")
    }
    // Such an ID could not be parsed again after a restart.
    guard BrowserTargetID(BrowserTargetID(browser.id, profile: profile.key).text) != nil else {
      return failure("its key contains control characters; rename the profile")
    }
    guard !profile.arguments.isEmpty else {
      return failure("no command-line option of \(browser.family.title) selects this profile")
    }
    return .success(profile)
  }

  /// Returns names as a clause, followed by the command that lists them.
  private static func listing(_ clause: String, _ names: [String]) -> String {
    let maximumCount = 20
    let shown = names.prefix(maximumCount).map { $0.shortened() }.joined(separator: ", ")
    let list =
      names.isEmpty ? "there is none" : "\(clause) \(shown)\(names.count > maximumCount ? " and others" : "")"
    return "\(list); run: usher web browsers"
  }
}
