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
  public let complaints: [RouteFileComplaint]
  /// The tests of the routes that are in the table.
  public let tests: [RouteFileTest]

  /// Reads files, and of each folder the `*.toml` in it, as if all stood in one folder.
  public init(loading paths: [String], rank: RouteRank = .user) {
    self.init(reading: paths.map { (RouteFolder(path: $0, rank: rank), 0) })
  }

  /// Reads folders of several ranks into one table; within a rank the first counts first.
  public init(loading folders: [RouteFolder]) {
    self.init(reading: folders.enumerated().map { ($0.element, $0.offset) })
  }

  private init(reading folders: [(folder: RouteFolder, place: Int)]) {
    let (sources, complaints) = RouteFileSource.read(folders)
    self.init(sources, complaints: complaints)
  }

  /// Reads texts.
  public init(_ sources: [RouteFileSource]) { self.init(sources, complaints: []) }

  private init(_ sources: [RouteFileSource], complaints: [RouteFileComplaint]) {
    var complaints = complaints
    var readers = sources.map { RouteFileReader($0) }
    var types = TypeCatalog()
    for index in readers.indices {
      let drafts = readers[index].readTypes()
      types.add(drafts, of: &readers[index])
    }
    for index in readers.indices {
      let own = types.types(of: readers[index])
      readers[index].readRoutes(own)
      complaints += readers[index].complaints
    }
    var assembly = RouteFileAssembly(readers, complaints: complaints)
    table = assembly.build()
    self.complaints = assembly.complaints.inOrder()
    let kept = Set(table.routes.map { RouteDraft.Name(owner: $0.owner, id: $0.id) })
    tests = assembly.drafts.filter { kept.contains($0.name) }.flatMap(\.tests)
  }
}
