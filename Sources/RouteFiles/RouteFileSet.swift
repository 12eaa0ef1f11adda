public import RouteTables

/// Route files read together: one table, and everything that is wrong with them.
///
/// What is wrong never takes down what is right: a file that is not TOML is left out, a route with a complaint is
/// left out, and of a conflict both sides. The order of files and of lines has no meaning; a route in a higher folder
/// replaces the one of the same owner and name in a lower one.
///
/// ```swift
/// let files = RouteFileSet(loading: ["/usr/share/org.example.Notes/routes"])
/// for complaint in files.complaints { print(complaint) }  // file:line:column: what is wrong and what to do
/// let match = try files.table.match("notes://note/7")
/// ```
public struct RouteFileSet: Sendable {
  /// The routes that are right.
  public let table: RouteTable<RouteAction>
  /// What is wrong, by file, line and column.
  public let diagnostics: [RouteFileDiagnostic]
  /// The tests of the routes that are in the table.
  public let tests: [RouteFileTest]
  /// What may forbid links in the administrator's files and was not understood, nor is in a version without errors.
  public let gaps: [RouteGap]
  /// The files that were read, in the order of their folders, each with what of it is in force.
  public let files: [ReadRouteFile]
  /// The files without errors, as they are.
  public let soundVersions: [RouteFileVersion]

  /// Reads files, and of each folder the `*.toml` in it, as if all stood in one folder.
  public init(loading paths: [String], rank: PolicyLayer = .user) {
    self.init(reading: paths.map { (RouteDirectory(path: $0, rank: rank), 0) })
  }

  /// Reads folders of several ranks into one table; within a rank the first counts first.
  ///
  /// - Parameter lastSound: the last version without errors of a file that has some now; it takes the place of the file, and the
  ///   file's first complaint says so.
  public init(
    loading directories: [RouteDirectory],
    lastSound: ((_ file: RouteDirectory) -> RouteFileVersion?)? = nil
  ) {
    self.init(reading: directories.enumerated().map { ($0.element, $0.offset) }, lastSound)
  }

  private init(
    reading directories: [(directory: RouteDirectory, place: Int)],
    _ lastSound: ((_ file: RouteDirectory) -> RouteFileVersion?)? = nil
  ) {
    let (sources, unreadable, diagnostics) = RouteFileSource.read(directories)
    self.init(sources, unreadable: unreadable, diagnostics: diagnostics, lastSound)
  }

  /// Reads texts.
  public init(_ sources: [RouteFileSource]) {
    self.init(sources, unreadable: [], diagnostics: [], nil)
  }

  private init(
    _ sources: [RouteFileSource], unreadable: [RouteFileSource], diagnostics: [RouteFileDiagnostic],
    _ lastSound: ((_ file: RouteDirectory) -> RouteFileVersion?)?
  ) {
    let first = RouteFileReading(sources, unreadable: unreadable, diagnostics: diagnostics)
    var standIns = FallbackVersions(lastSound)
    // First what is broken as a whole: other files may need its types.
    var last = standIns.replace(in: first) { $0.isBrokenAsWhole }
    last = standIns.replace(in: last) { _ in true }
    table = last.table
    tests = last.tests
    gaps = last.gaps
    soundVersions = first.sound.map { RouteFileVersion($0) }
    files = standIns.files(of: first, last)
    self.diagnostics = standIns.diagnostics(of: first, last)
  }
}
