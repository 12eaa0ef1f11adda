// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import RouteFiles
import RouteTables

/// The command `usher routes generate`, which prints the URL of a route.
struct RoutesGenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Generate the URL of a route from values for its captures.",
    usage: "usher routes generate [<file> ...] <route> [<name>=<value> ...] [--json]",
    discussion: HelpText.discussion(
      """
      The URL is verified: it matches exactly this route with exactly these values. If there is no such URL, the error names the invalid \
      value or the route that matches instead. Repeat NAME=VALUE for a capture with several values, {path...} or {tag*}. Values that equal \
      the pattern's default are omitted from the URL.
      """,
      exit: [
        0: "the URL is printed", 1: "there is no such URL, or a file has errors",
        64: "the arguments are wrong", 66: "a file cannot be read",
      ],
      examples: [
        "Use your own route files": "usher routes generate note id=7 tab=edit",
        "Use a file before you install it": "usher routes generate ./notes.toml note id=7",
      ]))

  @Argument(
    help: ArgumentHelp(
      "Name the route files or directories (default: the user's directory), then the route as ID or OWNER/ID, then values for its captures.",
      valueName: "file… route name=value…"), completion: Completions.routeFiles)
  var words: [String] = []

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard route != nil else {
      throw ValidationError("no route is given; run: usher routes generate [FILE…] ROUTE [NAME=VALUE…]")
    }
  }

  func run() throws {
    let named = NamedRouteFiles(Array(files))
    named.printDiagnostics()
    if json { try named.requireReadable(beside: ["route": .string(route ?? "")]) }
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
      throw ExitCode(max(1, NamedRouteFiles.exitStatus(named.files.diagnostics)))
    }
    if json {
      Console.emit(JSONText.line(["route": .string(route ?? ""), "url": .string(url)]))
    } else {
      Console.emit(url)
    }
    let code = NamedRouteFiles.exitStatus(named.files.diagnostics)
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
    case .matchedByAnotherRoute: "matched-by-another-route"
    case .notGenerated: "not-generated"
    // The routes of a file are never refused: an unusable one is absent.
    case .unknownRoute, .refused: "unknown-route"
    case .unknownArgument: "unknown-argument"
    case .missingArgument: "missing-argument"
    }
  }
}
