// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Finds the application for a scheme or a MIME type exactly as GIO does.
///
/// All lists and the names of all entries are read when the resolver is created, and it answers from that state. A
/// resolver created with `isForOneAnswer` looks up only the names that its answer needs.
///
/// ```swift
/// let resolver = ApplicationResolver(directories: directories, programs: ProgramSearch(path: environment["PATH"]))
/// if let scheme = URLScheme("notes") {
///   resolver.resolve(scheme, excluding: [.usherHandler]).application?.id   // org.example.Notes
/// }
/// ```
///
/// - Note: Like GIO, and unlike the specification, it accepts a `Hidden` entry that a list names as a default.
public struct ApplicationResolver: Sendable {
  /// The installed desktop entries.
  public let catalog: ApplicationCatalog
  private let programs: ProgramSearch
  private let associationDirectories: [AssociationDirectory]
  private let diagnostics: [Resolution.Diagnostic]
  private let directories: BaseDirectories
  private let files: any FileReading
  private let known = CachedLookups()

  /// Reads the association lists and the entry names below the directories of `directories`.
  public init(
    directories: BaseDirectories, programs: ProgramSearch, files: some FileReading = LocalFiles(),
    isForOneAnswer: Bool = false
  ) {
    catalog = ApplicationCatalog(directories: directories, files: files, isForOneAnswer: isForOneAnswer)
    self.programs = programs
    self.directories = directories
    self.files = files
    let desktops = directories.currentDesktops
    let configuration = ([directories.configHome] + directories.configDirectories).map {
      AssociationDirectory(path: $0, applicationDirectory: nil, desktops: desktops, files: files)
    }
    let data = directories.applicationDirectories.enumerated().map { index, path in
      AssociationDirectory(path: path, applicationDirectory: index, desktops: desktops, files: files)
    }
    associationDirectories = configuration + data
    diagnostics = associationDirectories.flatMap(\.diagnostics)
  }

  /// Every file and directory that was read when the resolver was created, whether it exists or not, without duplicates.
  public var places: [String] { (catalog.places + associationDirectories.flatMap(\.places)).unique }

  /// Returns the files beyond ``places`` that the choice in `resolution` depends on.
  ///
  /// `nil` if no application was chosen, or if an unusable entry that may become usable precedes the chosen one.
  public func places(behind resolution: Resolution) -> [String]? {
    for candidate in resolution.candidates {
      switch candidate.verdict {
      case .chosen(let path):
        return resolution.application.map { [path] + LaunchRequirements(of: $0).places(programs: programs) }
      case .unusable: return nil
      case .behind, .excluded, .notInstalled, .removed, .shadowed: continue
      }
    }
    return nil
  }

  /// The schemes that any list names, sorted by their text.
  public var schemes: [URLScheme] {
    Set(
      associationDirectories.flatMap { $0.types(behind: URLScheme.mimePrefix) }.compactMap { URLScheme($0) }
    ).sorted()
  }

  /// Finds the application for `scheme`, ignoring the applications in `excluded`.
  ///
  /// If Usher's own entry is excluded, schemes of other machines come last, because an application of this desktop has precedence. The
  /// desktop's own order is of no importance for them: each of these entries leads to Usher.
  ///
  /// - Parameter listing: whether to compute ``Resolution/registered``; otherwise it is empty.
  public func resolve(
    _ scheme: URLScheme, excluding excluded: Set<ApplicationID> = [], listing: Bool = true
  ) -> Resolution {
    resolve([(scheme.mimeType, [scheme.mimeType])], excluding: excluded, listing: listing)
  }

  /// Finds the application for files of `type`, or for the nearest supertype that has one.
  ///
  /// The files of shared-mime-info are read for each call; a scheme needs none of them.
  public func resolve(_ type: MIMEType, excluding excluded: Set<ApplicationID> = []) -> Resolution {
    let hierarchy = MIMEHierarchy(directories: directories, files: files)
    return resolve(
      hierarchy.lineage(of: type.rawValue).map { ($0, hierarchy.names(of: $0)) }, excluding: excluded,
      listing: true)
  }

  /// Resolves `types`, nearest first, each with all of its names.
  private func resolve(
    _ types: [(type: String, names: [String])], excluding excluded: Set<ApplicationID>, listing: Bool
  ) -> Resolution {
    let lookup = known.lookup(of: types.map { [$0.type] + $0.names }) { look(up: types) }
    var chosen: DesktopEntry?
    var entries = LoadedEntries(catalog: catalog, programs: programs)
    let steps =
      excluded.contains(.usherHandler) ? lookup.candidates.withOtherMachinesLast : lookup.candidates
    let candidates = steps.map { step in
      let verdict =
        step.verdict ?? Self.judge(step.mention, excluded: excluded, entries: &entries, chosen: &chosen)
      return Resolution.Candidate(
        name: step.mention.name, type: step.type, origin: step.mention.origin, verdict: verdict)
    }
    return Resolution(
      types: types.map(\.type), application: chosen, candidates: candidates,
      registered: listing ? registered(lookup.associations, &entries) : [], diagnostics: diagnostics)
  }

  /// Collects the statements of the lists about `types`, each under any of its names.
  private func look(up types: [(type: String, names: [String])]) -> Lookup {
    var candidates = AssociationLookup(catalog: catalog)
    // Defaults do not count here: a default that is not associated as well is not listed.
    var associations = AssociationLookup(catalog: catalog)
    for (type, names) in types {
      let tweaks = associationDirectories.map {
        (directory: $0.applicationDirectory, tweaks: $0.tweaks(of: names))
      }
      candidates.begin(type)
      for (_, tweaks) in tweaks { candidates.addDefaults(of: tweaks) }
      for (directory, tweaks) in tweaks {
        candidates.addAssociations(of: tweaks, in: directory)
        associations.addAssociations(of: tweaks, in: directory)
      }
    }
    return (candidates.steps, associations.steps)
  }

  private static func judge(
    _ mention: AssociationDirectory.Mention, excluded: Set<ApplicationID>, entries: inout LoadedEntries,
    chosen: inout DesktopEntry?
  ) -> Resolution.Verdict {
    guard let id = ApplicationID(desktopFileName: mention.name) else { return .notInstalled }
    guard !excluded.contains(id) else { return .excluded }
    let (entry, refused) = entries[id]
    guard let entry, let path = entry.path else {
      return refused.isEmpty
        ? .notInstalled : .unusable(refused.map { .init(path: $0.location.path, refusal: $0.refusal) })
    }
    guard chosen == nil else { return .behind }
    chosen = entry
    return .chosen(path: path)
  }

  private func registered(
    _ associations: [AssociationLookup.Step], _ entries: inout LoadedEntries
  ) -> [ApplicationID] {
    associations.compactMap { step in
      guard step.verdict == nil, let id = ApplicationID(desktopFileName: step.mention.name) else {
        return nil
      }
      return entries[id].entry?.isHidden == false ? id : nil
    }
  }
}

/// The statements of the lists about some types, before any entry is read: the candidates, and the associations alone.
private typealias Lookup = (candidates: [AssociationLookup.Step], associations: [AssociationLookup.Step])

extension [AssociationLookup.Step] {
  /// The steps in their order, except that those about schemes of other machines come last.
  fileprivate var withOtherMachinesLast: [AssociationLookup.Step] {
    func isOfOtherMachine(_ step: AssociationLookup.Step) -> Bool {
      step.mention.name.utf8.starts(with: ApplicationID.prefixOfOtherMachines.utf8)
    }
    guard contains(where: isOfOtherMachine) else { return self }
    return filter { !isOfOtherMachine($0) } + filter(isOfOtherMachine)
  }
}

/// A cache of the statements of the lists about the types of recent lookups.
private final class CachedLookups: Sendable {
  private static let most = 64
  private let known = Mutex<[[[String]]: Lookup]>([:])

  /// Returns the statements about types with these names, from the cache or from `find`.
  func lookup(of names: [[String]], _ find: () -> Lookup) -> Lookup {
    if let lookup = known.withLock({ $0[names] }) { return lookup }
    let lookup = find()
    known.withLock { known in
      if known.count >= Self.most { known = [:] }
      known[names] = lookup
    }
    return lookup
  }
}

/// The entries that were read for one answer, each once, so that the answer is consistent.
private struct LoadedEntries {
  typealias Loaded = (
    entry: DesktopEntry?, refused: [(location: ApplicationCatalog.Location, refusal: EntryError)]
  )

  let catalog: ApplicationCatalog
  let programs: ProgramSearch
  /// An array, because it has few elements and a linear search is cheaper than a dictionary.
  private var loaded: [(id: ApplicationID, loaded: Loaded)] = []

  init(catalog: ApplicationCatalog, programs: ProgramSearch) {
    self.catalog = catalog
    self.programs = programs
  }

  subscript(id: ApplicationID) -> Loaded {
    mutating get {
      if let known = loaded.first(where: { $0.id == id }) { return known.loaded }
      let read = catalog.load(id, programs: programs)
      loaded.append((id, read))
      return read
    }
  }
}
