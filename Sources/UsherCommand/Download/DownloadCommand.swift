// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Triggers

/// The command `usher download`, which manages the downloads of applications.
struct DownloadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "download",
    abstract: "Download a file for an application in the background.",
    discussion: HelpText.discussion(
      """
      A download continues after its application has exited, after a lost connection, and at the next login. When it has finished, failed \
      or been cancelled by the user, Usher starts the application with the reason newsstand-downloads.
      """,
      exit: [
        0: "success", 1: "the subcommand failed; its help lists the reasons",
        2: "add: the application is not installed", 64: "the arguments are wrong",
        69: "the daemon cannot be reached", 73: "add: the file exists, or cannot be created",
      ],
      examples: [
        "Download a file": "usher download org.example.Notes https://example.org/map --identifier map",
        "List the downloads": "usher download list",
        "Cancel one": "usher download cancel org.example.Notes map",
      ]),
    subcommands: [
      DownloadAddCommand.self, DownloadListCommand.self, DownloadCancelCommand.self,
      DownloadPauseCommand.self, DownloadResumeCommand.self,
    ],
    defaultSubcommand: DownloadAddCommand.self)
}

/// The command `usher download list`, which shows the downloads that are not finished.
struct DownloadListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the downloads that are not finished.",
    discussion: HelpText.discussion(
      """
      Prints one line per download: the application, the identifier, the state with the received bytes, the file, and the reason why the \
      last attempt ended. The URL is printed with --json, without its query.
      """,
      exit: [
        0: "success", 1: "the downloads cannot be read", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: ["List the downloads": "usher download list"]))

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let downloads = try TriggersConnection.ask(to: "list the downloads", json: json) {
      triggers throws(BusError) in
      try triggers.call(TriggersInterface.downloads)
    }
    guard !json else {
      return Console.emit(JSONText.line(["downloads": .dictionaries(downloads)]))
    }
    if downloads.isEmpty { Console.warn("there is no unfinished download") }
    for download in downloads {
      func text(_ key: String) -> String { download[key]?.string ?? "?" }
      let total = download["total"]?.integer.map { " of \($0)" } ?? ""
      let error = download["error"]?.string.map { "  \($0)" } ?? ""
      Console.print(
        "\(text("application"))  \(text("identifier"))  \(text("state")) \(download["received"]?.integer ?? 0)\(total) bytes  \(text("file"))\(error)"
      )
    }
  }
}

/// The application and the identifiers of the commands that change downloads.
struct DownloadSelection: ParsableArguments {
  @Argument(application: "Name the application by its desktop-file ID.")
  var application: String

  @Argument(help: ArgumentHelp("Name the downloads.", valueName: "identifier"))
  var identifiers: [String]

  @Flag(help: "Print one JSON object.")
  var json = false

  /// Calls a method with the selection, and warns of unknown identifiers.
  func call(_ method: BusMethod<Arguments<String, [String]>, Arguments<>>, to act: String) throws {
    var known = KnownIdentifiers(of: application)
    try TriggersConnection.change(to: act, json: json) { triggers throws(BusError) in
      known.insert(try triggers.call(TriggersInterface.downloads))
      try triggers.call(method, application, identifiers)
    }
    known.warn(of: identifiers, named: "unfinished download", list: "download", "list")
  }
}

/// The command `usher download cancel`, which cancels downloads.
struct DownloadCancelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Cancel downloads of an application.",
    discussion: HelpText.discussion(
      "The partial file is removed, and the cancellation is reported to the application. A warning names unknown identifiers.",
      exit: [
        0: "success", 1: "the downloads cannot be cancelled", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: ["Cancel a download": "usher download cancel org.example.Notes map"]))

  @OptionGroup var selection: DownloadSelection

  func run() throws { try selection.call(TriggersInterface.cancelDownloads, to: "cancel the downloads") }
}

/// The command `usher download pause`, which stops transfers until they are resumed.
struct DownloadPauseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Stop transfers of an application until they are resumed.",
    discussion: HelpText.discussion(
      "What was received remains if the server can continue the transfer. A warning names unknown identifiers.",
      exit: [
        0: "success", 1: "the downloads cannot be paused", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: ["Pause a download": "usher download pause org.example.Notes map"]))

  @OptionGroup var selection: DownloadSelection

  func run() throws { try selection.call(TriggersInterface.pauseDownloads, to: "pause the downloads") }
}

/// The command `usher download resume`, which starts the next attempt at once.
struct DownloadResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Resume downloads that are paused, or that wait for their next attempt.",
    discussion: HelpText.discussion(
      "A warning names unknown identifiers.",
      exit: [
        0: "success", 1: "the downloads cannot be resumed", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: ["Resume a download": "usher download resume org.example.Notes map"]))

  @OptionGroup var selection: DownloadSelection

  func run() throws { try selection.call(TriggersInterface.resumeDownloads, to: "resume the downloads") }
}
