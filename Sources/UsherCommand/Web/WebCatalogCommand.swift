// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrokerCore
import BusInterfaces
import DBus
import RouteTables

/// The command `usher web catalog`, which manages the installed route files for web links.
struct WebCatalogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalog",
    abstract: "Open web links in their applications, and clean links.",
    discussion: HelpText.discussion(
      """
      Usher is installed with route files for web links that have an application of their own, and for links with items that only track \
      the user. All are disabled until you enable them. A file opens links only while its application is installed; otherwise your browser \
      opens them. Your own routes and those of the administrator come first; only the files that clean links come before them, so that your \
      routes open clean links.
      """,
      exit: WebCatalogCommand.exit,
      examples: [
        "List the route files": "usher web catalog list",
        "Open meetings in the application": "usher web catalog enable zoom",
        "Remove tracking from all links": "usher web catalog enable clean-tracking clean-redirects",
        "Open meetings in the browser again": "usher web catalog disable zoom",
      ]),
    subcommands: [WebCatalogListCommand.self, WebCatalogEnableCommand.self, WebCatalogDisableCommand.self])

  /// The exit statuses of all subcommands.
  static let exit: KeyValuePairs<Int32, String> = [
    0: "success", 1: "a name is not in the catalogue, or a file cannot be changed",
    64: "the arguments are wrong",
  ]
}

/// The command `usher web catalog list`, which shows the files.
struct WebCatalogListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the route files for web links.",
    discussion: HelpText.discussion(
      """
      Prints the name of each file, whether it is enabled, and its purpose. A file whose application is not installed has no effect, and \
      the list says so.
      """,
      exit: [0: "success", 64: "the arguments are wrong"],
      examples: ["List the route files": "usher web catalog list"]))

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let entries = WebCatalog().entries
    let broker = LocalPolicy().rules.broker
    guard !json else {
      let entries = entries.map { Variant.dictionary($0.entries(by: broker)) }
      return Console.emit(JSONText.line(["catalog": .array(of: "a{sv}", entries)]))
    }
    if entries.isEmpty { Console.warn("no route files for web links are installed") }
    for (entry, name) in zip(entries, entries.map(\.name).asColumn) {
      let note = entry.missing(by: broker).map { "  (\($0))" } ?? ""
      Console.print("\(name)  \(entry.stateText)  \(entry.title)\(note)")
    }
  }
}

/// The command `usher web catalog enable`.
struct WebCatalogEnableCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable", abstract: "Enable route files for web links.",
    usage: "usher web catalog enable <name> ... [--json]",
    discussion: HelpText.discussion(
      """
      Makes a symbolic link to each file in ~/.local/share/usher/routes, so that later versions of the file apply, too. Links to web pages \
      reach Usher after: usher web enable.
      """,
      exit: WebCatalogCommand.exit,
      examples: ["Open meetings in the application": "usher web catalog enable zoom"]))

  @OptionGroup var names: WebCatalogNames

  func run() throws {
    let catalog = WebCatalog()
    let broker = LocalPolicy().rules.broker
    try names.change(in: catalog, done: "enabled") { name throws(WebCatalog.ChangeError) in
      let isChanged = try catalog.enable(name)
      let missing = catalog.entry(name).missing(by: broker)
      return (isChanged, missing.map { "\(name) has no effect at the moment: \($0)" })
    }
  }
}

/// The command `usher web catalog disable`.
struct WebCatalogDisableCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable", abstract: "Disable route files for web links.",
    usage: "usher web catalog disable <name> ... [--json]",
    discussion: HelpText.discussion(
      "Removes only the symbolic links that usher web catalog enable has made.", exit: WebCatalogCommand.exit,
      examples: ["Open meetings in the browser again": "usher web catalog disable zoom"]))

  @OptionGroup var names: WebCatalogNames

  func run() throws {
    let catalog = WebCatalog()
    try names.change(in: catalog, done: "disabled") { name throws(WebCatalog.ChangeError) in
      (try catalog.disable(name), nil)
    }
  }
}

/// The names of files of the catalogue, and the report of a change.
struct WebCatalogNames: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Name the files, as usher web catalog list shows them.", valueName: "name"),
    completion: Completions.webCatalog)
  var name: [String]

  @Flag(help: "Print one JSON object.")
  var json = false

  /// Changes each file, and reports what has changed, also if others cannot be changed.
  ///
  /// Nothing is changed if a name is unknown.
  ///
  /// - Parameter change: Returns whether anything changed, and a warning.
  func change(
    in catalog: WebCatalog, done: String,
    _ change: (String) throws(WebCatalog.ChangeError) -> (Bool, String?)
  ) throws {
    let known = catalog.entries.map(\.name)
    var errors = name.filter { !known.contains($0) }.map { name in
      let nearest =
        Nearest.word(to: name, among: known).map { "; did you mean \($0)?" }
        ?? "; run: usher web catalog list"
      return "\(name) is not in the catalogue\(nearest)"
    }
    var (changed, unchanged, warnings) = ([String](), [String](), [String]())
    for name in errors.isEmpty ? name : [] {
      do throws(WebCatalog.ChangeError) {
        let (isChanged, warning) = try change(name)
        if isChanged { changed.append(name) } else { unchanged.append(name) }
        if let warning { warnings.append(warning) }
      } catch {
        errors.append(error.description)
      }
    }
    let entries: [String: Variant] = [
      "changed": .strings(changed), "unchanged": .strings(unchanged), "warnings": .strings(warnings),
    ]
    if !json {
      for name in changed { Console.print("\(name) is \(done)") }
      for name in unchanged { Console.print("\(name) is already \(done)") }
      for warning in warnings { Console.warn(warning) }
    } else if errors.isEmpty {
      Console.emit(JSONText.line(entries))
    }
    try Failure.report(errors, adding: entries, json: json)
  }
}

extension WebCatalog.Entry {
  /// The state in a column.
  fileprivate var stateText: String {
    switch state {
    case .disabled: "disabled"
    case .enabled: "enabled "
    case .missing: "missing "
    case .replaced: "replaced"
    }
  }

  /// Returns the reason why the file has no effect although it is enabled; `nil` if it has one, or if it names no application.
  fileprivate func missing(by broker: Broker) -> String? {
    guard let first = targets.first, !targets.contains(where: broker.isInstalled) else { return nil }
    return first.description
  }

  /// Returns the keys for JSON: `name` s, `title` s, `kind` s (`application` or `cleaning`), `state` s, `usable` b, `file` s if it is installed.
  fileprivate func entries(by broker: Broker) -> [String: Variant] {
    var entries: [String: Variant] = [
      "name": .string(name), "kind": .string(isCleaning ? "cleaning" : "application"),
      "state": .string(state.rawValue), "usable": .boolean(path != nil && missing(by: broker) == nil),
    ]
    if !title.isEmpty { entries["title"] = .string(title) }
    entries["file"] = path.map(Variant.string)
    return entries
  }
}
