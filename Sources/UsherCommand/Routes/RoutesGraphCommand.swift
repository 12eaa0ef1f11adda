// SPDX-License-Identifier: Apache-2.0
import RouteAnalysis
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
    abstract: "Draw the routes as a tree of schemes, hosts, segments and actions.",
    discussion: HelpText.discussion(
      """
      GitHub, GitLab and many editors render Mermaid; DOT is the language of Graphviz, which also renders SVG. Common prefixes of patterns \
      are drawn once. Parts of a pattern that do not affect matching are omitted. For a large table, about 150 nodes are drawn and the others are \
      summarized, such as "… 214 routes"; with --depth, all nodes up to that depth are drawn.
      """,
      exit: [
        0: "success", 1: "a file has errors, or Graphviz is missing or fails",
        64: "the arguments are wrong", 66: "a file cannot be read",
      ],
      examples: [
        "Draw your own route files": "usher routes graph",
        "Draw a file as SVG": "usher routes graph ./notes.toml --format svg",
        "Draw at most two levels": "usher routes graph --depth 2",
      ]))

  @Argument(
    help: ArgumentHelp(
      "Read these route files or directories (default: the user's directory).", valueName: "file"),
    completion: Completions.routeFiles)
  var paths: [String] = []

  @Option(help: ArgumentHelp("Write this format.", valueName: "format"))
  var format = Format.mermaid

  @Option(help: ArgumentHelp("Draw at most this many levels.", valueName: "number"))
  var depth: Int?

  func validate() throws {
    guard depth ?? 1 > 0 else { throw ValidationError("--depth must be 1 or more") }
  }

  func run() throws {
    let named = NamedRouteFiles(paths)
    named.printDiagnostics()
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
    let code = NamedRouteFiles.exitStatus(named.files.diagnostics)
    if code != 0 { throw ExitCode(code) }
  }
}

extension RouteAction {
  /// The label of the action: its key in route files, and its object.
  fileprivate var name: String {
    switch self {
    case .handler(let name, _): "handler \(name)"
    case .open(let application): "open \(application)"
    case .browse(let target): "open \(target)"
    case .perform(let application, let action): "perform \(application)#\(action)"
    case .exec(let argv): "exec \(argv.first?.text ?? "")"
    case .rewrite: "rewrite"
    case .ask: "ask"
    case .allow: "allow"
    case .deny: "deny"
    }
  }
}
