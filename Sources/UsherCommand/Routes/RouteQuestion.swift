// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import HostNames
import RouteFiles
import RouteTables

/// A query of route files about one URL; the files precede the URL in the arguments.
struct RouteQuestion {
  /// The help text of the arguments.
  static let wordsHelp = ArgumentHelp(
    "Name the route files or directories (default: the user's directory), then the URL.",
    valueName: "file… url")
  /// The exit statuses of the commands that query.
  static let exits: KeyValuePairs<Int32, String> = [
    0: "a route matches", 1: "no route matches, or a file has errors", 64: "the arguments are wrong",
    65: "the argument is not a URL", 66: "a file cannot be read",
  ]

  /// The URL that the broker would decide for the argument.
  let url: String
  /// The URL as routes compare it.
  let compared: ComparedURL
  private let named: NamedRouteFiles
  private let json: Bool

  /// Reads the files, and prints their diagnostics.
  ///
  /// - Throws: the exit code for an argument that is not UTF-8, and for a host without an ASCII form.
  init(_ words: [String], json: Bool) throws {
    let word = words.last ?? ""
    // A text that is no URL, such as a bare path, is compared as it is written.
    url = (try? CorrectedURL(word).url.text) ?? word
    named = NamedRouteFiles(words.dropLast())
    self.json = json
    named.printDiagnostics()
    guard String(validating: OpenArgument.original(of: word), as: UTF8.self) != nil else {
      throw Self.refusal("\(URLString.Invalid.notUTF8)", json)
    }
    do {
      compared = try ComparedURL(
        url, mappingHost: HostName.mappingHost, otherReadings: HostName.otherReadings)
    } catch { throw Self.refusal(error.description, json) }
  }

  /// Returns the answer of the table; for an invalid URL, and for JSON also if a file could not be read, prints the error and throws the
  /// exit code.
  func answer<Answer>(
    _ ask: (RouteTable<RouteAction>) throws(RouteTableError) -> Answer
  ) throws -> Answer {
    let answer: Answer
    do throws(RouteTableError) { answer = try ask(named.files.table) } catch {
      throw Self.refusal(error.description, json)
    }
    if json { try named.requireReadable() }
    return answer
  }

  /// Returns the exit code; `nil` for 0.
  func exitStatus(isMatched: Bool) -> ExitCode? {
    let code = max(NamedRouteFiles.exitStatus(named.files.diagnostics), isMatched ? 0 : 1)
    return code == 0 ? nil : ExitCode(code)
  }

  private static func refusal(_ message: String, _ json: Bool) -> ExitCode {
    if json {
      Console.emit(JSONText.line(["error": .string("invalid-url"), "message": .string(message)]))
    } else {
      Console.warn(message)
    }
    return ExitCode(65)
  }
}
