// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// Route files that are read together: one table and all diagnostics.
///
/// An error never affects parts without errors: a file that is not TOML is dropped, a route with an error is dropped,
/// and both sides of a conflict are dropped. The order of files and of lines has no meaning; a route in a directory
/// of higher precedence replaces the one of the same owner and name in a lower one.
///
/// ```swift
/// let files = RouteFileSet(loading: ["/usr/share/org.example.Notes/routes"])
/// for diagnostic in files.diagnostics { print(diagnostic) }  // file:line:column: the error and its fix
/// let match = try files.table.match("notes://note/7")
/// ```
public struct RouteFileSet: Sendable {
  /// The routes without errors.
  public let table: RouteTable<RouteAction>
  /// The diagnostics, sorted by file, line and column.
  public let diagnostics: [RouteFileDiagnostic]
  /// The tests of the routes that are in the table.
  public let tests: [RouteFileTest]
  /// The URLs that the administrator's files may forbid, because of errors for which no version without errors is known.
  public let gaps: [RouteGap]
  /// The files that were read, in the order of their directories, each with its effective version.
  public let files: [ReadRouteFile]
  /// The files and directories of the administrator that other users can change or that users cannot read, unless `diagnostics` says so.
  public let permissionWarnings: [RouteFileDiagnostic]
  /// The current texts of the files without errors.
  public let soundVersions: [RouteFileVersion]

  /// Reads files, and the `*.toml` files of directories, as if all were in one directory.
  public init(loading paths: [String], rank: PolicyLayer = .user) {
    self.init(reading: paths.map { (RouteDirectory(path: $0, rank: rank), 0) })
  }

  /// Reads directories and files of one policy layer as if all were in one directory.
  public init(readingAsOne directories: [RouteDirectory]) { self.init(reading: directories.map { ($0, 0) }) }

  /// Reads directories of several policy layers into one table; within a layer the first has precedence.
  ///
  /// - Parameter lastSound: returns the last version without errors of a file that has errors now; that version is
  ///   used, and the file's first diagnostic reports it.
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
    self.init(
      sources, unreadable: unreadable, diagnostics: diagnostics, lastSound,
      permissionWarnings: directories.flatMap { $0.directory.writers + $0.directory.unreadable })
  }

  /// Parses texts.
  public init(_ sources: [RouteFileSource]) {
    self.init(sources, unreadable: [], diagnostics: [], nil)
  }

  private init(
    _ sources: [RouteFileSource], unreadable: [RouteFileSource], diagnostics: [RouteFileDiagnostic],
    _ lastSound: ((_ file: RouteDirectory) -> RouteFileVersion?)?,
    permissionWarnings: [RouteFileDiagnostic] = []
  ) {
    let first = RouteFileReading(sources, unreadable: unreadable, diagnostics: diagnostics)
    var standIns = FallbackVersions(lastSound)
    // Files that are invalid as a whole come first, because other files may need their types.
    var last = standIns.replace(in: first) { $0.isBrokenAsWhole }
    last = standIns.replace(in: last) { _ in true }
    table = last.table
    tests = last.tests
    gaps = last.gaps
    soundVersions = first.sound.map { RouteFileVersion($0) }
    files = standIns.files(of: first, last)
    self.diagnostics = standIns.diagnostics(of: first, last).onePerCause()
    let known = Set(self.diagnostics.compactMap(\.cause))
    self.permissionWarnings = permissionWarnings.onePerCause().filter { !known.contains($0.cause ?? "") }
  }
}
