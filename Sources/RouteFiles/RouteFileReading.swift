// SPDX-License-Identifier: Apache-2.0
internal import RouteTables

/// A single parse of route files that are read together: the table, the diagnostics and the gaps.
struct RouteFileReading {
  let table: RouteTable<RouteAction>
  let tests: [RouteFileTest]
  let diagnostics: [RouteFileDiagnostic]
  let gaps: [RouteGap]
  /// The files that were read; `unreadable` has the others.
  let sources: [RouteFileSource]
  let unreadable: [RouteFileSource]
  private let withFaultAtTop: Set<FilePath>

  /// A file with errors.
  struct Broken {
    let source: RouteFileSource
    /// Indicates whether the file has errors outside single routes.
    let isBrokenAsWhole: Bool
  }

  /// - Parameter winsOverBudget: the maximum numbers of steps in which `wins_over` is compared with the routes.
  init(
    _ sources: [RouteFileSource], unreadable: [RouteFileSource], diagnostics: [RouteFileDiagnostic],
    winsOverBudget: WinsOver.Budget = .standard
  ) {
    self.sources = sources
    self.unreadable = unreadable
    var diagnostics = diagnostics
    var gaps = Self.gaps(of: unreadable, diagnostics)
    var readers = sources.map { RouteFileReader($0) }
    var types = TypeCatalog()
    // The sort is stable only with the indices.
    let byTrust = readers.indices.sorted {
      (readers[$0].source.finality, $0) < (readers[$1].source.finality, $1)
    }
    for index in byTrust {
      let drafts = readers[index].readTypes()
      types.add(drafts, of: &readers[index])
    }
    withFaultAtTop = Set(readers.filter { !$0.diagnostics.isEmpty || !$0.isSound }.map(\.source.path))
    var sharing = PatternSharing()
    for index in readers.indices {
      swap(&sharing, &readers[index].sharing)
      readers[index].readRoutes(types.visible(to: readers[index]))
      swap(&sharing, &readers[index].sharing)
      diagnostics += readers[index].diagnostics
      gaps += readers[index].gaps
    }
    var assembly = RouteFileAssembly(readers, diagnostics: diagnostics)
    table = assembly.build(winsOverBudget: winsOverBudget)
    self.diagnostics = assembly.diagnostics
    self.gaps = gaps + assembly.gaps
    let kept = Set(table.routes.map { PartialRoute.Name(owner: $0.owner, id: $0.id) })
    tests = assembly.drafts.filter { kept.contains($0.name) }.flatMap(\.tests)
  }

  /// The files with errors, except for conflicts and failed tests, which depend on other files.
  var broken: [Broken] {
    unreadable.map { Broken(source: $0, isBrokenAsWhole: true) }
      + sources.filter { withErrors.contains($0.path) }.map {
        Broken(source: $0, isBrokenAsWhole: withFaultAtTop.contains($0.path))
      }
  }

  /// The files without errors.
  var sound: [RouteFileSource] {
    let withErrors = withErrors
    return sources.filter { !withErrors.contains($0.path) }
  }

  private var withErrors: Set<FilePath> { Set(diagnostics.filter(\.isError).map(\.location.path)) }

  private static func gaps(of unreadable: [RouteFileSource], _ diagnostics: [RouteFileDiagnostic])
    -> [RouteGap]
  {
    unreadable.filter { $0.rank == .administrator }.map { source in
      let place = SourceLocation(file: source.name, line: 1)
      let diagnostic = diagnostics.first { $0.location.path == source.path }
      return RouteGap(
        .everything, isFinal: true, location: place, reason: RouteFileReader.reason(diagnostic, place))
    }
  }
}

extension RouteFileDiagnostic {
  /// Returns a copy with `text` appended to its message.
  func adding(_ text: String) -> RouteFileDiagnostic {
    RouteFileDiagnostic(kind, at: location, "\(message); \(text)", command: command, cause: cause)
  }

  /// Indicates whether the file itself has an error.
  var isError: Bool {
    switch kind {
    case .unreadable, .syntax, .shape, .ownership, .pattern: true
    case .missing, .conflict, .test: false
    }
  }
}

/// Replaces files with errors by their earlier versions.
struct FallbackVersions {
  /// A function that returns the last version without errors; `nil` if only the current files are used.
  private let lastSound: ((_ file: RouteDirectory) -> RouteFileVersion?)?
  /// The versions in use, and the modification times of the current files, by file.
  private var used: [FilePath: (version: RouteFileVersion, since: Int)] = [:]

  init(_ lastSound: ((_ file: RouteDirectory) -> RouteFileVersion?)?) { self.lastSound = lastSound }

  /// Reads the files again, with the last versions of those with errors for which `isWanted` returns `true`.
  mutating func replace(
    in reading: RouteFileReading, where isWanted: (RouteFileReading.Broken) -> Bool
  ) -> RouteFileReading {
    var (sources, unreadable) = (reading.sources, reading.unreadable)
    var isSame = true
    // Neither owner nor mode of the file would be another with an earlier text.
    let untrusted = Set(reading.diagnostics.filter { $0.kind == .ownership }.map(\.location.path))
    for broken in reading.broken where used[broken.source.path] == nil && isWanted(broken) {
      let source = broken.source
      guard let version = lastSound?(RouteDirectory(path: source.name, rank: source.rank)),
        !version.text.utf8.elementsEqual(source.text.utf8), !untrusted.contains(source.path)
      else { continue }
      used[source.path] = (version, source.changed)
      if let index = sources.firstIndex(where: { $0 == source && $0.path == source.path }) {
        sources[index] = source.with(version)
      } else {
        unreadable.removeAll { $0.path == source.path }
        sources.append(source.with(version))
      }
      isSame = false
    }
    guard !isSame else { return reading }
    let left = Set(unreadable.map(\.path))
    return RouteFileReading(
      sources, unreadable: unreadable,
      diagnostics: reading.diagnostics.filter { $0.kind == .missing || left.contains($0.location.path) })
  }

  /// Returns the files of `first`, each with the version that `last` uses.
  func files(of first: RouteFileReading, _ last: RouteFileReading) -> [ReadRouteFile] {
    let broken = Dictionary(last.broken.map { ($0.source.path, $0.isBrokenAsWhole) }) { $0 || $1 }
    let all = (first.sources + first.unreadable).sorted { ($0.directory, $0.name) < ($1.directory, $1.name) }
    return all.map { source in
      let version: ReadRouteFile.Version =
        if let used = used[source.path] {
          .earlier(changed: used.version.changed)
        } else if let isBrokenAsWhole = broken[source.path] {
          isBrokenAsWhole ? .none : .withErrors
        } else {
          .current
        }
      return ReadRouteFile(path: source.name, rank: source.rank, version: version, since: source.changed)
    }
  }

  private static let refusing =
    "no earlier version without errors is stored, so links that the file may forbid are rejected until this is corrected"

  private static let untrusted =
    "links that the file may forbid are rejected until this is corrected; an earlier version of a file that users other than root can write is not used"

  /// Returns the diagnostics of the current files, and the conflicts among the versions in use.
  func diagnostics(of first: RouteFileReading, _ last: RouteFileReading) -> [RouteFileDiagnostic] {
    guard lastSound != nil else { return first.diagnostics.inOrder() }
    let known = Set(first.diagnostics)
    let left = Set(last.diagnostics)
    // An error of a file that is only the consequence of another file's error, whose earlier version is used.
    let own = first.diagnostics.filter { !$0.isError || used[$0.location.path] != nil || left.contains($0) }
    let all = own + last.diagnostics.filter { $0.kind == .conflict && !known.contains($0) }
    let refused = Set(last.gaps.map(\.location))
    var reported: Set<FilePath> = []
    return all.inOrder().map { diagnostic in
      let file = diagnostic.location.path
      guard diagnostic.isError else { return diagnostic }
      guard let (version, since) = used[file] else {
        guard refused.contains(diagnostic.location) else { return diagnostic }
        return diagnostic.adding(diagnostic.kind == .ownership ? Self.untrusted : Self.refusing)
      }
      guard reported.insert(file).inserted else { return diagnostic }
      return diagnostic.adding(version.isUsed(since: since))
    }
  }
}
