// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrokerCore
import BusInterfaces
import DBus
import FileOutput
import Freedesktop
import Glibc
import Launching
import RouteFiles
import RouteImport
import RouteTables
import Systemd
import WebLinks

/// The command `usher routes import`, which makes a route file from the rules of another program.
struct RoutesImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a route file from the rules of another program.",
    usage: "usher routes import [<options>] <format> <file> ...",
    discussion: HelpText.discussion(
      """
      The formats are handlr (handlr.toml of handlr-regex), mimeapps (mimeapps.list) and finicky (a configuration of Finicky 3 or 4, \
      or its rules.json). Each route has its rule as a comment, and tests that were made by evaluating the rules. Standard error lists \
      what could not be carried over, and every rule whose route matches other links, with an example; the file has the same list as \
      comments. No code of a file is run. Rules of Finicky that are functions are not carried over, except those that only compare the \
      application that contains the link (opener.bundleId): --application names the application of Linux that replaces it. The default browser of \
      Finicky becomes a route unless it is the browser that opens your web links without any route.
      """,
      exit: [
        0: "the routes decide as the rules do",
        1: "a rule is not carried over, or its route matches other links; the file is printed nevertheless",
        64: "the arguments are wrong", 66: "a file cannot be read or does not have the format",
        73: "the file of --output exists, or cannot be written",
      ],
      examples: [
        "Replace a Finicky configuration":
          "usher routes import finicky finicky.js --output web.toml",
        "Name applications of this machine":
          "usher routes import finicky finicky.js --application Slack=com.slack.Slack",
        "Import regex handlers": "usher routes import handlr handlr.toml",
        "Turn defaults into routes": "usher routes import mimeapps mimeapps.list",
      ]))

  @Argument(
    help: ArgumentHelp("Name the format: handlr, mimeapps or finicky.", valueName: "format"),
    completion: .list(RouteImport.Format.allCases.map(\.rawValue)))
  var format: String

  @Argument(
    help: ArgumentHelp("Read these files; of several, the first has precedence.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write the route file there instead of to standard output.", valueName: "file"),
    completion: Completions.routeFiles)
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Open this browser family or application instead of the browser or application that a Finicky configuration names. Can be repeated.",
      valueName: "name=target"))
  var browser: [String] = []

  @Option(
    help: ArgumentHelp(
      "Treat links of this application as those of the one that a Finicky configuration compares, by its bundle identifier or name. Can be repeated, also for one name.",
      valueName: "name=id"))
  var application: [String] = []

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard RouteImport.Format(rawValue: format) != nil else {
      throw ValidationError("unknown format '\(format)'; use handlr, mimeapps or finicky")
    }
    guard !files.isEmpty else {
      throw ValidationError("no file is given; run: usher routes import \(format) FILE")
    }
    for text in application where Self.pair(text) == nil {
      throw ValidationError(
        "'\(text)' is not NAME=ID; write for example --application com.tinyspeck.slackmacgap=com.slack.Slack")
    }
    for text in browser where Self.pair(text) == nil {
      throw ValidationError("'\(text)' is not NAME=TARGET; write for example --browser Safari=epiphany")
    }
  }

  func run() throws {
    guard let format = RouteImport.Format(rawValue: format) else { throw ExitCode(64) }
    // Checked first, so that nothing is read in vain.
    if let output, LocalFiles().read(output) != .missing {
      throw unwritten("\(output) exists; remove it, or name another file with --output")
    }
    var read: [RouteImport.File] = []
    for path in files {
      switch LocalFiles().read(path) {
      case .bytes(let bytes) where bytes.count <= 1 << 20:
        read.append(RouteImport.File(name: path, bytes: bytes))
      case .bytes: throw failure("\(path) is larger than 1 MiB")
      case .missing: throw failure("\(path) does not exist")
      case .unreadable(let reason): throw failure("\(path) cannot be read: \(reason)")
      }
    }
    let imported: RouteImport
    do {
      imported = try RouteImport(
        read, format: format, browsers: Dictionary(browser.compactMap(Self.pair)) { $1 },
        applications: Dictionary(application.compactMap(Self.pair).map { ($0, [$1]) }) { $0 + $1 },
        ownBrowser: format == .finicky ? Self.ownBrowser : [])
    } catch {
      throw failure(error.description)
    }
    if let output {
      do {
        try withSignalsDeferred { () throws(WriteFailure) in try Self.write(imported.text, to: output) }
      } catch {
        throw unwritten("\(output) cannot be written: \(error)")
      }
    }
    if json {
      Console.emit(JSONText.line(entries(imported)))
    } else {
      if output == nil { Console.emit(String(imported.text.dropLast())) }
      report(imported)
    }
    if !imported.isComplete { throw ExitCode(1) }
  }

  /// The family and the IDs of the browser that opens web links without any route; empty if http and https have different browsers.
  private static var ownBrowser: Set<String> {
    let registration = RegistrationService().registration
    let ids = Set(URLScheme.web.map { registration.application(for: $0) })
    guard ids.count == 1, let id = ids.first ?? nil else { return [] }
    let browsers = BrowserDirectory(environment: LaunchEnvironment.current(), only: id).browsers
    return Set([id.rawValue, id.desktopFileName] + browsers.map(\.family.name))
  }

  /// Prints to standard error what the routes do not do as the rules did.
  private func report(_ imported: RouteImport) {
    for route in imported.routes {
      for difference in route.differences {
        Console.warn("\(route.location.file):\(route.location.line): \(route.id): \(difference)")
      }
      for advice in route.advice {
        Console.warn("\(route.location.file):\(route.location.line): \(route.id): note: \(advice)")
      }
    }
    for left in imported.leftOut {
      Console.warn(
        "\(left.location.file):\(left.location.line): not carried over: \(left.text): \(left.reason)")
    }
    if let output {
      Console.warn(imported.routes.count.counted("route is", plural: "routes are") + " in \(output)")
      Console.suggest([
        SuggestedCommand(
          command: Shell.command("usher", "routes", "check", output),
          purpose: "check the routes and run their tests")
      ])
    }
  }

  /// The object of `--json`: `routes` av, `left_out` av, and `text` s, or `output` s.
  private func entries(_ imported: RouteImport) -> [String: Variant] {
    var entries: [String: Variant] = [
      "format": .string(format),
      "routes": .dictionaries(
        imported.routes.map { route in
          [
            "route": .string(route.id), "file": .string(route.location.file),
            "line": .int64(Int64(route.location.line)), "rule": .string(route.text),
            "differences": .array(of: "s", route.differences.map { .string($0) }),
            "notes": .array(of: "s", route.advice.map { .string($0) }),
          ]
        }),
      "left_out": .dictionaries(
        imported.leftOut.map { left in
          [
            "file": .string(left.location.file), "line": .int64(Int64(left.location.line)),
            "rule": .string(left.text), "reason": .string(left.reason),
          ]
        }),
    ]
    if let output { entries["output"] = .string(output) } else { entries["text"] = .string(imported.text) }
    return entries
  }

  private func failure(_ message: String) -> ExitCode { report("unreadable", message, status: 66) }

  /// Reports that the route file is not written; the exit status differs from that of a partial import.
  private func unwritten(_ message: String) -> ExitCode { report("not-written", message, status: 73) }

  private func report(_ error: String, _ message: String, status: Int32) -> ExitCode {
    if json {
      Console.emit(JSONText.line(["error": .string(error), "message": .string(message)]))
    } else {
      Console.warn(message)
    }
    return ExitCode(status)
  }

  /// Creates a file that has all its text as soon as it has its name; a file of the name is never replaced.
  ///
  /// The broker reads a route file when it appears in its directory.
  private static func write(_ text: String, to path: String) throws(WriteFailure) {
    let temporary = "\(path).\(getpid()).new"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard file >= 0 else { throw WriteFailure(code: errno) }
    defer { unlink(temporary) }
    let error = text.utf8.writeAll(to: file) ?? (fsync(file) == 0 ? nil : errno)
    close(file)
    if let error { throw WriteFailure(code: error) }
    if ExclusiveRename.perform(in: AT_FDCWD, from: temporary, to: path) == 0 { return }
    // Not all file systems have the exclusive renaming.
    guard errno == EINVAL, link(temporary, path) == 0 else { throw WriteFailure(code: errno) }
  }

  private struct WriteFailure: Error, CustomStringConvertible {
    let code: Int32
    var description: String { String(cString: strerror(code)) }
  }

  private static func pair(_ text: String) -> (String, String)? {
    guard let mark = text.lastIndex(of: "="), mark > text.startIndex, text.index(after: mark) < text.endIndex
    else {
      return nil
    }
    return (String(text[..<mark]), String(text[text.index(after: mark)...]))
  }
}
