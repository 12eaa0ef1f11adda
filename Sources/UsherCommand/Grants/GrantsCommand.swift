public import ArgumentParser
public import BusInterfaces
import DBus
import Freedesktop
import RouteFiles

/// The command `usher grants`, which manages stored consents and refusals of the user.
struct GrantsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grants",
    abstract: "Shows and changes which links may be opened without asking.",
    discussion: HelpText.discussion(
      """
      Before a sandboxed application's link, or one that a web page opened without a click, goes anywhere, and where a \
      route says so, a person is asked. The answer is kept for 30 days, for the rule that asked and for just what it was \
      given for: one to a route answers no other route, and one about a program outside a sandbox none about one inside.
      """,
      exit: GrantsCommand.exit,
      examples: [
        "Show what was answered": "usher grants list",
        "Allow it before it is asked": "usher grants allow --source org.example.Chat --scheme notes",
        "Be asked again": "usher grants revoke --scheme notes",
      ]),
    subcommands: [GrantsListCommand.self, GrantsAllowCommand.self, GrantsRevokeCommand.self],
    defaultSubcommand: GrantsListCommand.self)

  /// The exit statuses of all subcommands.
  static let exit: KeyValuePairs<Int32, String> = [
    0: "done", 1: "they cannot be read or written, or there was nothing to revoke",
    64: "the command was called in a wrong way", 69: "the broker cannot be reached",
  ]
}

/// The scope of a grant.
struct GrantScopeOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The application that asks, by its desktop-file ID.", valueName: "id"))
  var source: ApplicationID?

  @Option(help: ArgumentHelp("The web origin that asks, as https://example.org.", valueName: "url"))
  var origin: String?

  @Option(help: ArgumentHelp("The scheme of the links.", valueName: "scheme"))
  var scheme: URLScheme?

  @Option(help: ArgumentHelp("The host in the links.", valueName: "host"))
  var host: String?

  @Option(
    help: ArgumentHelp("The route that asks, as its ID or owner/ID.", valueName: "name"),
    completion: Completions.routes
  )
  var route: String?

  var entries: [String: Variant] {
    var entries: [String: Variant] = [:]
    entries["source-application"] = source.map { .string($0.rawValue) }
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
    commandName: "list", abstract: "Shows what was allowed and refused, and until when.",
    usage: "usher grants list [<options>]",
    discussion: HelpText.discussion(
      "A line for each, the last answer first; with options, those that are about all of what they say.",
      exit: GrantsCommand.exit,
      examples: [
        "All of them": "usher grants list",
        "What was answered about one scheme": "usher grants list --scheme notes",
      ]))

  @OptionGroup(title: "Only grants about") var scope: GrantScopeOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let grants = try BrokerConnection.answer(about: "answers are kept by the broker", json: json) {
      bus throws(BusError) in
      try bus.call(BrokerInterface.grants, at: BrokerInterface.broker, scope.entries)
    }
    let lock = Locks().file(of: .grants)
    guard !json else {
      var entries: [String: Variant] = ["grants": .array(of: "a{sv}", grants.map { .dictionary($0) })]
      entries["switched-off-by"] = lock.map { .string($0) }
      return Console.emit(JSONText.line(entries))
    }
    if let lock { Console.warn("none of them counts: grants are switched off by \(lock)") }
    if grants.isEmpty { Console.warn("nothing like that was allowed or refused") }
    for grant in grants { Console.say(GrantLine(grant).text) }
  }
}

/// The command `usher grants allow`, which stores a grant in advance.
struct GrantsAllowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "allow",
    abstract: "Answers a question before it is asked: links of this kind may be opened.",
    usage: "usher grants allow [<options>]",
    discussion: HelpText.discussion(
      """
      Without --route it answers Usher's own question: about a sandboxed application (--source and --scheme) or a web page \
      (--origin and --scheme). With --route it answers that route, and needs just what the route's `remember` names. With \
      --refuse the links may not be opened. What a rule denies stays denied.
      """, exit: GrantsCommand.exit,
      examples: [
        "Links of one scheme from one application":
          "usher grants allow --source org.example.Chat --scheme notes",
        "Never, from a web page": "usher grants allow --refuse --origin https://shop.example --scheme notes",
        "What a route asks, which remembers the source":
          "usher grants allow --route calls --source org.example.Chat",
        "For a week": "usher grants allow --source org.example.Chat --scheme notes --days 7",
      ]))

  @OptionGroup(title: "What it is about, all of it") var scope: GrantScopeOptions

  @Option(
    help: ArgumentHelp(
      "The layer of the route, where several have one of that name: final, user, administrator, vendor.",
      valueName: "word"))
  var layer: String?

  @Flag(help: "With --route: about callers in a sandbox. Without it, about callers outside.")
  var sandboxed = false

  @Option(
    help: ArgumentHelp(
      "How surely the source must be known: sandbox, unit, executable (default), claimed.", valueName: "word")
  )
  var assurance: Assurance?

  @Option(
    help: ArgumentHelp("Where the question is which, the application that opens them.", valueName: "id"))
  var app: ApplicationID?

  @Flag(help: "They may not be opened.")
  var refuse = false

  @Option(help: ArgumentHelp("For how many days (default: 30).", valueName: "number"))
  var days: UInt16?

  @Flag(help: "Without end.")
  var forever = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if scope.entries.isEmpty {
      throw ValidationError("for what? Give --source, --origin, --scheme, --host or --route")
    }
    if scope.route == nil && (layer != nil || sandboxed) {
      throw ValidationError("--layer and --sandboxed are about the question of a route: give --route")
    }
    if days != nil && forever { throw ValidationError("--days and --forever exclude each other") }
    if days == 0 { throw ValidationError("--days: at least 1") }
    if refuse && app != nil { throw ValidationError("--refuse and --app exclude each other") }
  }

  func run() throws {
    var entries = scope.entries
    entries["layer"] = layer.map { .string($0) }
    if sandboxed { entries["sandboxed"] = .boolean(true) }
    entries["assurance"] = assurance.map { .string($0.rawValue) }
    entries["answer"] = refuse ? .string("no") : app.map { .string($0.rawValue) }
    entries["lifetime"] = forever ? .uint64(0) : days.map { .uint64(UInt64($0) * 86_400_000_000) }
    let kept = try BrokerConnection.answer(about: "answers are kept by the broker", json: json) {
      bus throws(BusError) in
      try bus.call(BrokerInterface.allow, at: BrokerInterface.broker, entries)
    }
    guard !json else { return Console.emit(JSONText.line(kept)) }
    Console.say(GrantLine(kept).text)
    if let denials = kept["denied-by"]?.strings, !denials.isEmpty {
      let names = denials.joined(separator: ", ")
      Console.warn(
        kept["all-denied"]?.boolean == true
          ? "the grant has no effect: the administrator's final \(names) denies all such links, and no grant changes that"
          : "some such links may stay denied: the administrator's final \(names) denies links of this kind, and no grant changes that"
      )
    }
  }
}

/// The command `usher grants revoke`, which removes grants.
struct GrantsRevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Takes answers back: the next such link is asked about again.",
    usage: "usher grants revoke [<options>]",
    discussion: HelpText.discussion(
      "All grants go that are about what the options say, whatever else they are about.",
      exit: GrantsCommand.exit,
      examples: [
        "What was answered about one scheme": "usher grants revoke --scheme notes",
        "All of them": "usher grants revoke --all",
      ]))

  @OptionGroup(title: "Grants about") var scope: GrantScopeOptions

  @Flag(help: "All of them.")
  var all = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if scope.entries.isEmpty != all {
      throw ValidationError("give --source, --origin, --scheme, --host or --route, or --all alone")
    }
  }

  func run() throws {
    var entries = scope.entries
    if all { entries["all"] = .boolean(true) }
    let count = try BrokerConnection.answer(about: "answers are kept by the broker", json: json) {
      bus throws(BusError) in
      try bus.call(BrokerInterface.revoke, at: BrokerInterface.broker, entries)
    }
    if json {
      Console.emit(JSONText.line(["revoked": .uint32(count)]))
    } else {
      Console.say(count == 1 ? "1 grant revoked" : "\(count) grants revoked")
    }
    if count == 0 { throw ExitCode.failure }
  }
}

extension Assurance: ExpressibleByArgument {}
