/// A scheme, and who opens it.
public struct SchemeHandler: Hashable, Sendable {
  /// The scheme.
  public let scheme: URLScheme
  /// The application that opens it in the end; `nil` when nothing usable is left.
  public let application: ApplicationID?
  /// Whether the desktop hands such URLs to Usher.
  public let isThroughUsher: Bool
  /// How the application was found, Usher left out.
  public let resolution: Resolution
  /// Who else could open it, best first.
  public let others: [ApplicationID]
  /// When the application was registered with us, as RFC 3339 has it; `nil` where nobody wrote it down.
  public let moment: String?
  /// The applications that were registered with us for it, and that another one has taken it from since.
  public let losers: [ApplicationID]
  /// The defaults of the user's own lists that were passed over because the application, or its program, is gone.
  public let gone: [Resolution.Candidate]

  /// The line of a list that decided; `nil` when there is no application.
  public var origin: Resolution.Origin? {
    resolution.candidates.first { if case .chosen = $0.verdict { true } else { false } }?.origin
  }
}

extension Registration {
  /// The application that opens a scheme, Usher left out; `nil` when nothing does.
  public func application(for scheme: URLScheme) -> ApplicationID? {
    resolver(files).resolve(scheme, excluding: [handler]).application?.id
  }

  /// The desktop file to which every desktop tool should come for a scheme; `nil` when nothing opens it.
  public func desktopFile(for scheme: URLScheme) -> String? {
    resolver(files).resolve(scheme).application?.id?.desktopFileName
  }

  /// The schemes that any list of this desktop names, each with who opens it, in the order of their text.
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
      let others = (behind.compactMap { ApplicationID(desktopFileName: $0.name) } + resolution.registered)
      let line = DefaultApplicationsValue(handler: handler)
      let registered = line.registered(in: defaults?.value(of: scheme.mimeType)).map(\.application)
      let losers = (claims[scheme] ?? []).map(\.1).unique
      // Where no list names Usher, it makes no difference that it was left out.
      let isNamed = resolution.candidates.contains { $0.verdict == .excluded }
      return SchemeHandler(
        scheme: scheme, application: application,
        isThroughUsher: isNamed && resolver.resolve(scheme).application?.id == handler,
        resolution: resolution,
        others: others.unique.filter { $0 != application && $0 != handler },
        moment: application.flatMap { stamps[$0] }?.moment(of: scheme),
        losers: losers.filter { $0 != application && !registered.contains($0) }, gone: gone(resolution))
    }
  }
}

extension Registration {
  /// The lines of the user's own list, in which applications are registered; none where it cannot be read.
  private var ownDefaults: KeyFileGroup? {
    guard case .bytes(let bytes) = files.read(directories.userAssociationList) else { return nil }
    return KeyFileGroup.read([AssociationList.defaultGroup], in: bytes).groups.first
  }

  /// What the machine's lists name and is not installed is how they are meant; so are our marks.
  private func gone(_ resolution: Resolution) -> [Resolution.Candidate] {
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

extension Array where Element: Hashable {
  /// Each element once, where it comes first.
  fileprivate var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
