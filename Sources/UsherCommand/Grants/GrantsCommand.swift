// SPDX-License-Identifier: Apache-2.0
public import ArgumentParser
public import BrokerCore
public import BusInterfaces
import DBus
import Freedesktop
import RouteFiles

/// The command `usher grants`, which manages stored consents and refusals of the user.
struct GrantsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grants",
    abstract: "List and change the stored answers of the user to prompts.",
    discussion: HelpText.discussion(
      """
      The broker asks the user before it opens a link of a sandboxed application, a link that a web page opened without a click, \
      or a link for which a route asks. It stores the answer for 30 days as a grant. A grant applies only to the rule with the prompt and \
      only to the cases that the prompt named: a grant for one route never applies to another route, and a grant for programs \
      outside sandboxes never applies to programs in sandboxes. An answer to the prompt whether an application may show notifications is \
      stored without expiry.
      """,
      exit: GrantsCommand.exit,
      examples: [
        "List the stored answers": "usher grants list",
        "Allow links without a prompt":
          "usher grants allow --source org.example.Chat --scheme notes",
        "Let the broker prompt again": "usher grants revoke --scheme notes",
        "Allow notifications of an application":
          "usher grants allow --permission notifications org.example.Notes",
      ]),
    subcommands: [GrantsListCommand.self, GrantsAllowCommand.self, GrantsRevokeCommand.self],
    defaultSubcommand: GrantsListCommand.self)

  /// The exit statuses of all subcommands.
  static let exit: KeyValuePairs<Int32, String> = [
    0: "success", 1: "the grants cannot be read or changed, or no grant matched",
    64: "the arguments are wrong", 69: "the broker cannot be reached",
  ]
}

/// The scope of a grant.
struct GrantScopeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Select requests from this application, given by its desktop-file ID.", valueName: "id"))
  var source: ApplicationID?

  @Option(
    help: ArgumentHelp(
      "Select requests from this container, given by its full ID (podman ps --no-trunc) or its scope unit.",
      valueName: "id"))
  var container: String?

  @Option(
    help: ArgumentHelp(
      "Select links that come from this machine, such as build.example.org.", valueName: "machine"
    ))
  var remote: String?

  @Option(
    help: ArgumentHelp(
      "Select web pages of this origin, such as https://example.org.", valueName: "url"))
  var origin: String?

  @Option(help: ArgumentHelp("Select links of this scheme.", valueName: "scheme"))
  var scheme: URLScheme?

  @Option(help: ArgumentHelp("Select links with this host.", valueName: "host"))
  var host: String?

  @Option(
    help: ArgumentHelp(
      "Select the prompts of this route, given by its ID or OWNER/ID.", valueName: "name"),
    completion: Completions.routes
  )
  var route: String?

  @Option(
    help: ArgumentHelp(
      "Select this permission; combine it only with the ID of an application.",
      valueName: "name"))
  var permission: Permission?

  @Argument(
    help: ArgumentHelp(
      "With --permission: select this application, given by its desktop-file ID.", valueName: "id"))
  var application: ApplicationID?

  func validate() throws {
    guard let permission else {
      guard let application else { return }
      throw ValidationError(
        "\(application) needs --permission; for the links of an application, use --source \(Shell.word("\(application)"))"
      )
    }
    guard entries.keys.allSatisfy({ ["permission", "source-application"].contains($0) }), source == nil else {
      throw ValidationError(
        "--permission \(permission.rawValue) cannot be combined with the scope of links; add only the ID of an application"
      )
    }
  }

  var entries: [String: Variant] {
    var entries: [String: Variant] = [:]
    entries["permission"] = permission.map { .string($0.rawValue) }
    entries["source-application"] = (source ?? application).map { .string($0.rawValue) }
    entries["container"] = container.map { .string($0) }
    entries["remote"] = remote.map { .string($0) }
    entries["origin"] = origin.map { .string($0) }
    entries["scheme"] = scheme.map { .string($0.rawValue) }
    entries["host"] = host.map { .string($0) }
    entries["route"] = route.map { .string($0) }
    return entries
  }
}

/// The command `usher grants list`, which shows the valid grants.
struct GrantsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the stored answers and when each expires.",
    usage: "usher grants list [<options>] [<id>]",
    discussion: HelpText.discussion(
      "Prints one line per grant, the most recent first. With several options, a grant must match all of them.",
      exit: [
        0: "success, also if no grant matches", 1: "the grants cannot be read", 64: "the arguments are wrong",
        69: "the broker cannot be reached",
      ],
      examples: [
        "List all": "usher grants list",
        "List the grants of one scheme": "usher grants list --scheme notes",
        "List the answers about notifications": "usher grants list --permission notifications",
      ]))

  @OptionGroup(title: "Selection") var scope: GrantScopeOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let grants = try BrokerConnection.answer(onFailure: "cannot list the grants", json: json) {
      bus throws(BusError) in
      try bus.call(BrokerInterface.grants, at: BrokerInterface.broker, scope.entries)
    }
    let lock = Locks().file(of: .grants)
    guard !json else {
      var entries: [String: Variant] = ["grants": .dictionaries(grants)]
      entries["locked-by"] = lock.map { .string($0) }
      return Console.emit(JSONText.line(entries))
    }
    if let lock { Console.warn("grants have no effect, because they are disabled by \(lock)") }
    if grants.isEmpty { Console.warn("no grant matches") }
    for grant in grants { Console.print(GrantLine(grant).text) }
  }
}

/// The command `usher grants allow`, which stores a grant in advance.
struct GrantsAllowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "allow",
    abstract: "Allow links or a permission in advance, so that the user is not prompted.",
    usage: "usher grants allow [<options>] [<id>]",
    discussion: HelpText.discussion(
      """
      Without --route, the grant answers the built-in prompt for a sandboxed application (--source and --scheme), a \
      container (--container and --scheme), another machine (--remote and --scheme) or a web page (--origin and --scheme). With --route, it answers the prompt of that route: \
      give one option for each word of the route's `remember`. With --refuse, the links are rejected. The grant replaces all stored \
      answers to the same prompt for the callers that it covers, whose source has at least the assurance of --assurance. A grant never overrides a \
      rule that denies. With --permission and an ID, the grant allows or refuses a permission of an application, without expiry.
      """,
      exit: [
        0: "the grant is stored", 1: "the grant cannot be stored", 64: "the arguments are wrong",
        69: "the broker cannot be reached",
      ],
      examples: [
        "Allow links of one scheme from one application":
          "usher grants allow --source org.example.Chat --scheme notes",
        "Refuse links from a web page":
          "usher grants allow --refuse --origin https://shop.example --scheme notes",
        "Answer the prompt of a route with remember = \"source\"":
          "usher grants allow --route calls --source org.example.Chat",
        "Refuse notifications of an application":
          "usher grants allow --refuse --permission notifications org.example.Chat",
        "Allow for a week": "usher grants allow --source org.example.Chat --scheme notes --days 7",
      ]))

  @OptionGroup(title: "Scope") var scope: GrantScopeOptions

  @Option(
    help: ArgumentHelp(
      "Select the layer of the route if several layers have a route of that name: final, user, administrator, vendor.",
      valueName: "layer"))
  var layer: String?

  @Flag(help: "With --route: apply to sandboxed callers instead of callers outside sandboxes.")
  var sandboxed = false

  @Option(
    help: ArgumentHelp(
      "Require at least this assurance of the source (default: executable).",
      valueName: "level")
  )
  var assurance: BusInterfaces.Assurance?

  @Option(
    help: ArgumentHelp(
      "For a route that asks which application opens the link: choose this application.", valueName: "id"))
  var app: ApplicationID?

  @Flag(help: "Reject the links, or refuse the permission, instead of allowing them.")
  var refuse = false

  @Option(
    help: ArgumentHelp(
      "Store the grant for this many days (default: 30; with --permission: no expiry).",
      valueName: "number"))
  var days: UInt16?

  @Flag(help: "Store the grant without expiry.")
  var forever = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if scope.entries.isEmpty {
      throw ValidationError(
        "the scope is empty; add --source, --container, --remote, --origin, --scheme, --host or --route, or --permission with an ID"
      )
    }
    if scope.permission != nil, scope.application == nil {
      throw ValidationError("--permission needs the ID of an application")
    }
    if scope.permission != nil, assurance != nil || app != nil {
      throw ValidationError("--permission cannot be combined with --assurance and --app")
    }
    if scope.route == nil && (layer != nil || sandboxed) {
      throw ValidationError("--layer and --sandboxed need --route")
    }
    if let source = scope.source, source.rawValue.contains("*") {
      throw ValidationError(
        "a grant is for one application, and --source \(source) names none; write the ID of one application, or a route with `source` and `allow = true` for several"
      )
    }
    if assurance != nil && scope.source == nil { throw ValidationError("--assurance needs --source") }
    if days != nil && forever { throw ValidationError("--days and --forever cannot be combined") }
    if days == 0 { throw ValidationError("--days must be at least 1") }
    if refuse && app != nil { throw ValidationError("--refuse and --app cannot be combined") }
  }

  func run() throws {
    var entries = scope.entries
    entries["layer"] = layer.map { .string($0) }
    if sandboxed { entries["sandboxed"] = .boolean(true) }
    entries["assurance"] = assurance.map { .string($0.rawValue) }
    entries["answer"] = refuse ? .string("no") : app.map { .string($0.rawValue) }
    entries["lifetime"] = forever ? .uint64(0) : days.map { .uint64(UInt64($0) * 86_400_000_000) }
    let kept = try BrokerConnection.answer(onFailure: "cannot store the grant", json: json) {
      bus throws(BusError) in
      try bus.call(BrokerInterface.allow, at: BrokerInterface.broker, entries)
    }
    if let name = scope.remote { Self.warn(aboutMachineNamed: name) }
    guard !json else { return Console.emit(JSONText.line(kept)) }
    Console.print(GrantLine(kept).text)
    if let denials = kept["denied-by"]?.strings, !denials.isEmpty {
      let names = denials.joined(separator: ", ")
      Console.warn(
        kept["all-denied"]?.boolean == true
          ? "the grant has no effect: final routes of the administrator deny all such links: \(names)"
          : "some of these links may stay denied: final routes of the administrator deny links of this kind, and grants do not override them: \(names)"
      )
    }
  }
}

extension GrantsAllowCommand {
  /// Warns if a name belongs to a connected container, and to no connected machine.
  private static func warn(aboutMachineNamed name: String) {
    guard let container = RemoteMachine(container: name),
      let runtime = UserEnvironment.variable("XDG_RUNTIME_DIR")
    else { return }
    let known = KnownMachine.all(in: runtime, ContainerUnit.gathered()).map(\.machine)
    guard known.contains(container), !known.contains(where: { $0.name == name }) else { return }
    Console.warn("the grant is for a machine \(name); for \(container.title), write --remote \(container)")
  }
}

/// The command `usher grants revoke`, which removes grants.
struct GrantsRevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Revoke grants, so that the user is asked again.",
    usage: "usher grants revoke [<options>] [<id>]",
    discussion: HelpText.discussion(
      "Revokes every grant that matches all given options.",
      exit: GrantsCommand.exit,
      examples: [
        "Revoke the grants of one scheme": "usher grants revoke --scheme notes",
        "Let the broker ask again about notifications of an application":
          "usher grants revoke --permission notifications org.example.Notes",
        "Revoke all grants": "usher grants revoke --all",
      ]))

  @OptionGroup(title: "Selection") var scope: GrantScopeOptions

  @Flag(help: "Revoke all grants.")
  var all = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if scope.entries.isEmpty != all {
      throw ValidationError(
        "no grant is selected; add --source, --container, --remote, --origin, --scheme, --host, --route or --permission; to revoke all grants, use --all alone"
      )
    }
  }

  func run() throws {
    var entries = scope.entries
    if all { entries["all"] = .boolean(true) }
    let count = try BrokerConnection.answer(onFailure: "cannot revoke the grants", json: json) {
      bus throws(BusError) in
      try bus.call(BrokerInterface.revoke, at: BrokerInterface.broker, entries)
    }
    if json {
      Console.emit(JSONText.line(["revoked": .uint32(count)]))
    } else {
      Console.print(Int(count).counted("grant") + " revoked")
    }
    if count == 0 { throw ExitCode.failure }
  }
}

extension BusInterfaces.Assurance: ExpressibleByArgument {
  /// The assurances of an identified application.
  public static var allValueStrings: [String] { allCases.filter { $0 != .unknown }.map(\.rawValue) }

  /// Reads the assurance of an identified application.
  public init?(argument: String) {
    guard Self.allValueStrings.contains(argument) else { return nil }
    self.init(rawValue: argument)
  }
}

extension Permission: ExpressibleByArgument {}
