import ArgumentParser
import Launching
import RouteFiles
import RouteTables
import Systemd

/// The command `usher routes graph`, which draws route files.
struct RoutesGraphCommand: ParsableCommand {
  /// The language of the graph.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case mermaid, dot, svg
  }

  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Draws the routes as a tree: schemes, hosts, segments, and what each route does.",
    discussion: HelpText.discussion(
      """
      Mermaid is what GitHub, GitLab and many editors draw; DOT is graphviz's language, and SVG a picture that graphviz makes. What patterns \
      begin with in common is drawn once. What of a pattern never selects is left out. Of a large table about 150 nodes are drawn, and \
      the rest is counted, as "… 214 routes"; with --depth, what stands no deeper is drawn, however much that is.
      """,
      exit: [
        0: "it is drawn", 1: "a file is wrong, or graphviz is missing or fails",
        64: "the command was called in a wrong way", 66: "a file cannot be read",
      ],
      examples: [
        "Your own route files": "usher routes graph",
        "A file, as a picture": "usher routes graph ./notes.toml --format svg",
        "No more than two nodes behind one another": "usher routes graph --depth 2",
      ]))

  @Argument(
    help: ArgumentHelp("Files and folders; without any, the user's own folder.", valueName: "file"),
    completion: Completions.routeFiles)
  var paths: [String] = []

  @Option(help: ArgumentHelp("The language of the picture.", valueName: "format"))
  var format = Format.mermaid

  @Option(help: ArgumentHelp("How many nodes stand behind one another at most.", valueName: "number"))
  var depth: Int?

  func validate() throws {
    guard depth ?? 1 > 0 else { throw ValidationError("a depth is 1 or more") }
  }

  func run() throws {
    let named = NamedRouteFiles(paths)
    named.tellDiagnostics()
    let graph = RouteGraph(named.files.table, depth: depth) { $0.name }
    switch format {
    case .mermaid: Console.emit(String(graph.mermaid.dropLast()))
    case .dot: Console.emit(String(graph.dot.dropLast()))
    case .svg:
      do throws(Graphviz.Failure) {
        Console.emit(try Graphviz.svg(of: graph.dot))
      } catch {
        Console.warn(error.description)
        throw ExitCode(1)
      }
    }
    let code = NamedRouteFiles.exitCode(named.files.diagnostics)
    if code != 0 { throw ExitCode(code) }
  }
}

extension RouteAction {
  /// The label of the action: its key in route files, and its object.
  fileprivate var name: String {
    switch self {
    case .handler(let name, _): "handler \(name)"
    case .open(let application): "open \(application)"
    case .perform(let application, let action): "perform \(application)#\(action)"
    case .exec(let argv): "exec \(argv.first?.text ?? "")"
    case .rewrite: "rewrite"
    case .ask: "ask"
    case .allow: "allow"
    case .deny: "deny"
    }
  }
}
