import ArgumentParser
import BusInterfaces
import DBus
import RouteFiles
import RouteTables

/// The command `usher routes generate`, which prints the URL of a route.
struct RoutesGenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Prints the URL of a route with the values that its captures are to have.",
    usage: "usher routes generate [<file> ...] <route> [<name>=<value> ...] [--json]",
    discussion: HelpText.discussion(
      """
      The URL is proven: matching it gives this very route and these very values. Where there is no such URL, the value that is to blame \
      is named, or the route that takes it. A capture of several texts, {path...} or {tag*}, is given once for each. Values that are as \
      the pattern's default are left out.
      """,
      exit: [
        0: "the URL is printed", 1: "there is none, or a file is wrong",
        64: "the command was called in a wrong way", 66: "a file cannot be read",
      ],
      examples: [
        "By your own route files": "usher routes generate note id=7 tab=edit",
        "By a file before it is installed": "usher routes generate ./notes.toml note id=7",
      ]))

  @Argument(
    help: ArgumentHelp(
      "Files and folders, the route as ID or OWNER/ID, and what its captures are to be; without any file, the user's own folder.",
      valueName: "file… route name=value…"), completion: Completions.routeFiles)
  var words: [String]

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard route != nil else {
      throw ValidationError("give a route: usher routes generate [FILE…] ROUTE [NAME=VALUE…]")
    }
  }

  func run() throws {
    let named = NamedRouteFiles(Array(files))
    named.tellDiagnostics()
    let url: String
    do throws(RouteGenerationError) {
      url = try named.files.table.generate(route ?? "", values)
    } catch {
      if json {
        Console.emit(
          JSONText.line([
            "route": .string(route ?? ""), "error": .string(error.name),
            "message": .string(error.description),
          ]))
      } else {
        Console.warn(error.description)
      }
      throw ExitCode(max(1, NamedRouteFiles.exitCode(named.files.diagnostics)))
    }
    if json {
      Console.emit(JSONText.line(["route": .string(route ?? ""), "url": .string(url)]))
    } else {
      Console.emit(url)
    }
    let code = NamedRouteFiles.exitCode(named.files.diagnostics)
    if code != 0 { throw ExitCode(code) }
  }

  /// The last arguments, as far as they have the form `name=value`.
  private var arguments: ArraySlice<String> {
    let count = words.reversed().prefix { word in
      let name = word.prefix { $0 != "=" }
      return name.count < word.count && !name.isEmpty
        && name.utf8.allSatisfy { byte in
          byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
    }.count
    return words.suffix(count)
  }
  private var route: String? { words.dropLast(arguments.count).last }
  private var files: ArraySlice<String> { words.dropLast(arguments.count + 1) }

  /// The values by name: one text for a name that occurs once, otherwise the list of its texts.
  private var values: [String: RouteValue] {
    var texts: [String: [String]] = [:]
    for word in arguments {
      let name = String(word.prefix { $0 != "=" })
      texts[name, default: []].append(String(word.dropFirst(name.count + 1)))
    }
    return texts.mapValues { $0.count == 1 ? .string($0[0]) : .strings($0) }
  }
}

extension RouteGenerationError {
  /// The error name for JSON.
  fileprivate var name: String {
    switch self {
    case .unrepresentable: "unrepresentable"
    case .ambiguous: "ambiguous"
    case .taken: "taken"
    case .notGenerated: "not-generated"
    // The routes of a file are never refused: an unusable one is absent.
    case .unknownRoute, .refused: "unknown-route"
    case .unknownArgument: "unknown-argument"
    case .missingArgument: "missing-argument"
    }
  }
}
