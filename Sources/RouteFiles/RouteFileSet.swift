public import RouteTables

/// Route files read together: one table, and everything that is wrong with them.
///
/// What is wrong never takes down what is right: a file that is not TOML is left out, a route with a complaint is
/// left out, and of a conflict both sides. The order of files and of lines has no meaning.
///
/// ```swift
/// let files = RouteFileSet(loading: ["/etc/usher/routes.d"])
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

  /// Reads files, and of each folder the `*.toml` in it.
  public init(loading paths: [String]) {
    let (sources, complaints) = RouteFileSource.read(paths)
    self.init(sources, complaints: complaints)
  }

  /// Reads texts.
  public init(_ sources: [RouteFileSource]) { self.init(sources, complaints: []) }

  private init(_ sources: [RouteFileSource], complaints: [RouteFileComplaint]) {
    var complaints = complaints
    var drafts: [RouteDraft] = []
    for source in sources {
      var reader = RouteFileReader()
      reader.read(source)
      complaints += reader.complaints
      drafts += reader.drafts
    }
    var builder = RouteTableBuilder<RouteAction>()
    for draft in RouteDraft.named(drafts, complaints: &complaints) {
      do {
        try builder.add(
          draft.patterns, id: draft.id, owner: draft.owner, action: draft.action, at: draft.location,
          patternLocations: draft.patternLocations)
      } catch {
        complaints.append(RouteFileComplaint(.shape, error.location ?? draft.location, error.message))
      }
    }
    let (table, conflicts) = builder.buildSettingAside()
    for conflict in conflicts {
      complaints.append(RouteFileComplaint(.conflict, conflict.second.location, conflict.description))
    }
    self.table = table
    self.complaints = complaints.inOrder()
    let kept = Set(table.routes.map { [$0.owner, $0.id] })
    tests = drafts.filter { kept.contains([$0.owner, $0.id]) }.flatMap(\.tests)
  }
}

/// A route as a file says it, before the table is built.
struct RouteDraft {
  let id: String
  let owner: String
  let location: SourceLocation
  var patterns: [RoutePattern] = []
  var patternLocations: [SourceLocation] = []
  var action: RouteAction
  var tests: [RouteFileTest] = []

  /// The drafts without those that share owner and name: the order of files cannot say which one is meant.
  static func named(_ drafts: [RouteDraft], complaints: inout [RouteFileComplaint]) -> [RouteDraft] {
    let groups = Dictionary(grouping: drafts) { [$0.owner, $0.id] }
    for group in groups.values where group.count > 1 {
      for draft in group.dropFirst() {
        complaints.append(
          RouteFileComplaint(
            .conflict, draft.location,
            "there is a route `\(draft.id)` of `\(draft.owner)` already, at \(group[0].location): "
              + "both are set aside, rename one"))
      }
    }
    return drafts.filter { groups[[$0.owner, $0.id]]?.count == 1 }
  }
}
