// SPDX-License-Identifier: Apache-2.0
public import BrokerCore
public import Freedesktop

/// The installed browsers with their profiles, read from the desktop entries and from the browsers' own files.
///
/// Everything is read when the list is created, which may take as long as the file system does: the broker creates it on the file thread.
///
/// ```swift
/// let directory = BrowserDirectory(environment: environment)
/// for browser in directory.browsers { print(browser.title, browser.knownProfiles.map(\.name)) }
/// ```
public struct BrowserDirectory: Sendable {
  /// The browsers: the default one for web links first, then in the order of the association lists, then by ID.
  public let browsers: [InstalledBrowser]
  /// The files and directories that were read beyond those of the desktop, whether they exist or not, for a fingerprint.
  public let places: [String]

  /// Reads the browsers of a user.
  ///
  /// - Parameter id: The one browser to read; `nil` for all.
  public init(environment: [String: String], only id: ApplicationID? = nil) {
    let directories = BaseDirectories(environment: environment)
    let programs = ProgramSearch(path: environment["PATH"])
    self.init(
      ApplicationResolver(directories: directories, programs: programs), programs: programs,
      environment: environment, only: id)
  }

  /// Reads the browsers among the applications of `resolver`.
  public init(
    _ resolver: ApplicationResolver, programs: ProgramSearch, environment: [String: String],
    only id: ApplicationID? = nil
  ) {
    let locale = MessageLocale(environment: environment)
    var reader = ProfileReader(environment: environment, programs: programs)
    var browsers: [InstalledBrowser] = []
    for candidate in id.map({ [$0] }) ?? Self.candidates(resolver) {
      guard let entry = resolver.catalog.load(candidate, programs: programs).entry, !entry.isHidden,
        let program = BrowserProgram(entry)
      else { continue }
      browsers.append(
        InstalledBrowser(
          id: candidate, family: program.family, title: entry.name(in: locale) ?? program.family.title,
          packaging: program.packaging, profiles: reader.profiles(of: program)))
    }
    self.browsers = browsers
    places = reader.places
  }

  /// Returns the applications that may be browsers, best first.
  private static func candidates(_ resolver: ApplicationResolver) -> [ApplicationID] {
    guard let https = URLScheme("https") else { return [] }
    let resolution = resolver.resolve(https, excluding: [.usherHandler])
    let listed = resolution.candidates.compactMap { ApplicationID(desktopFileName: $0.name) }
    let known = BrowserFamily.knownIDs.compactMap { ApplicationID(rawValue: $0) }.filter {
      !resolver.catalog.locations(of: $0).isEmpty
    }
    let first = [resolution.application?.id].compactMap(\.self)
    return (first + listed + resolution.registered + known).unique.filter { $0 != .usherHandler }
  }
}
