// SPDX-License-Identifier: Apache-2.0
/// A scheme and the application that opens it.
public struct SchemeHandler: Hashable, Sendable {
  /// The scheme.
  public let scheme: URLScheme
  /// The application that finally opens it; `nil` if no usable one is left.
  public let application: ApplicationID?
  /// Indicates whether the desktop passes such URLs to Usher.
  public let isThroughUsher: Bool
  /// The resolution of the scheme without Usher.
  public let resolution: Resolution
  /// The other applications that could open it, best first.
  public let alternatives: [ApplicationID]
  /// The time at which Usher registered the application, in the format of RFC 3339; `nil` if it was not recorded.
  public let moment: String?
  /// The applications that were registered by Usher for the scheme and have since been replaced by another default.
  public let replaced: [ApplicationID]
  /// The defaults of the user's own lists that were skipped because the application or its program is not installed.
  public let unusable: [Resolution.Candidate]

  /// The other machine that has registered the scheme while it is connected; `nil` if an application of this desktop opens it.
  public var machine: String? { resolution.application.flatMap { RemoteEntry($0) }?.machine }

  /// The line of the list that decided; `nil` if there is no application.
  public var origin: Resolution.Origin? {
    resolution.candidates.first { if case .chosen = $0.verdict { true } else { false } }?.origin
  }
}

extension Registration {
  /// Returns the application that opens a scheme without Usher; `nil` if there is none.
  public func application(for scheme: URLScheme) -> ApplicationID? {
    resolver(files).resolve(scheme, excluding: [handler]).application?.id
  }

  /// Returns the desktop file that every desktop tool should use for a scheme; `nil` if there is none.
  public func desktopFile(for scheme: URLScheme) -> String? {
    resolver(files).resolve(scheme).application?.id?.desktopFileName
  }

  /// Returns the schemes that any list of this desktop names, each with its application, sorted by scheme.
  public func handlers() -> [SchemeHandler] {
    let resolver = ApplicationResolver(
      directories: directories, programs: programs.remembering(), files: files)
    let stamped = stampedEntries(in: resolver.catalog)
    let stamps = Dictionary(stamped.map { ($0.id, $0) }) { first, _ in first }
    let claims = Dictionary(
      grouping: stamped.flatMap { entry in entry.schemes.map { ($0, entry.id) } }, by: \.0)
    let defaults = ownDefaults
    return resolver.schemes.map { scheme in
      let resolution = resolver.resolve(scheme, excluding: [handler])
      let application = resolution.application?.id
      let behind = resolution.candidates.filter { $0.verdict == .behind }
      let alternatives =
        (behind.compactMap { ApplicationID(desktopFileName: $0.name) } + resolution.registered)
      let line = DefaultApplicationsValue(handler: handler)
      let registered = line.registered(in: defaults?.value(of: scheme.mimeType)).map(\.application)
      let replaced = (claims[scheme] ?? []).map(\.1).unique
      // If no list names Usher, excluding it makes no difference, so the second lookup is skipped.
      let isNamed = resolution.candidates.contains { $0.verdict == .excluded }
      // The entry of another machine leads to the broker, also if it precedes an application of this desktop.
      let isForMachine = resolution.candidates.contains {
        ApplicationID(desktopFileName: $0.name)?.isOfOtherMachine == true
      }
      return SchemeHandler(
        scheme: scheme, application: application,
        isThroughUsher: isNamed && resolver.resolve(scheme).application?.id == handler
          || isForMachine && resolver.resolve(scheme).application?.id?.isOfOtherMachine == true,
        resolution: resolution,
        alternatives: alternatives.unique.filter { $0 != application && $0 != handler },
        moment: application.flatMap { stamps[$0] }?.moment(of: scheme),
        replaced: replaced.filter { $0 != application && !registered.contains($0) },
        unusable: unusable(resolution))
    }
  }
}

extension Registration {
  /// The lines of the user's own list, in which applications are registered; `nil` if it cannot be read.
  private var ownDefaults: KeyFileGroup? {
    guard case .bytes(let bytes) = files.read(directories.userAssociationList) else { return nil }
    return KeyFileGroup.read([AssociationList.defaultGroup], in: bytes).groups.first
  }

  /// Returns the unusable defaults in the user's own lists.
  ///
  /// The system's lists name applications that are not installed on purpose, and Usher's marks are not IDs; both are
  /// excluded.
  private func unusable(_ resolution: Resolution) -> [Resolution.Candidate] {
    let own = [directories.configHome, directories.dataHome].map { $0 + "/" }
    let passed = resolution.candidates.prefix { if case .chosen = $0.verdict { false } else { true } }
    return passed.filter { candidate in
      guard candidate.origin.group == AssociationList.defaultGroup,
        ApplicationID(desktopFileName: candidate.name) != nil,
        own.contains(where: candidate.origin.path.hasPrefix)
      else { return false }
      switch candidate.verdict {
      case .notInstalled, .unusable: return true
      default: return false
      }
    }
  }
}
