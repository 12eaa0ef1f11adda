// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Triggers

/// The command `usher push`, which manages the registrations of applications for remote notifications.
struct PushCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Register applications for notifications from their servers.",
    discussion: HelpText.discussion(
      """
      A registration has an endpoint, to which the server of the application sends encrypted messages (Web Push). The user's push \
      distributor (UnifiedPush) receives them. Usher decrypts a message, shows its alert, or starts the application in the background.
      """,
      exit: [
        0: "success", 1: "the subcommand failed; its help lists the reasons",
        2: "register: the application is not installed", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: [
        "Register an application, and print what its server needs":
          "usher push register org.example.Notes --json",
        "List the registrations": "usher push list",
        "End a registration": "usher push unregister org.example.Notes",
      ]),
    subcommands: [PushRegisterCommand.self, PushListCommand.self, PushUnregisterCommand.self])
}

/// The command `usher push register`, which registers an application and prints its token.
struct PushRegisterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "register", abstract: "Register an application, and print the token for its server.",
    discussion: HelpText.discussion(
      """
      Prints one line per value: endpoint, p256dh and auth. With --json, prints the PushSubscription of the W3C Push API, which \
      libraries for servers read. The values are secret: a program that has them can send notifications to the application. The \
      token of a registered application stays the same, unless --distributor or --vapid differs from the registration, or the distributor \
      replaces it. Without --distributor, Usher uses the distributor of the registration, otherwise the one that was used last.
      """,
      exit: [
        0: "success",
        1:
          "the caller is not allowed to register it, there is no push distributor, or the distributor rejected the registration",
        2: "the application is not installed", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: [
        "Register an application": "usher push register org.example.Notes",
        "Print it for a library": "usher push register org.example.Notes --json",
      ]))

  @Argument(application: "Name the application by its desktop-file ID.")
  var application: String

  @Option(
    help: ArgumentHelp(
      "Pass this public key of the application's server to the distributor (RFC 8292): 87 characters of base64url.",
      valueName: "key"))
  var vapid: String?

  @Option(help: ArgumentHelp("Register with the push distributor that has this bus name.", valueName: "name"))
  var distributor: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    var options: [String: Variant] = [:]
    options["vapid"] = vapid.map(Variant.string)
    options["distributor"] = distributor.map(Variant.string)
    let token = try TriggersConnection.ask(to: "register the application", json: json) {
      triggers throws(BusError) in
      let entries = try triggers.call(
        TriggersInterface.registerForRemoteNotifications, application, options,
        timeout: TriggersInterface.registrationTimeout)
      return try decoded(RemoteNotificationToken(entries))
    }
    guard !json else { return Console.emit(token.json) }
    Console.print("endpoint  \(token.endpoint)")
    Console.print("p256dh  \(RemoteNotificationToken.base64URL(token.publicKey))")
    Console.print("auth  \(RemoteNotificationToken.base64URL(token.authenticationSecret))")
  }
}

/// The command `usher push list`, which shows the registered applications.
struct PushListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the applications that are registered for remote notifications.",
    discussion: HelpText.discussion(
      "Prints one line per application, with its distributor and the date of the registration.",
      exit: [
        0: "success", 1: "the registrations cannot be read", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: ["List the registrations": "usher push list"]))

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let registrations = try TriggersConnection.ask(to: "list the registrations", json: json) {
      triggers throws(BusError) in
      try triggers.call(TriggersInterface.remoteNotificationRegistrations)
    }
    guard !json else {
      return Console.emit(JSONText.line(["registrations": .dictionaries(registrations)]))
    }
    if registrations.isEmpty { Console.warn("no application is registered") }
    for registration in registrations {
      let date = registration["date"]?.integer.map { Timestamp.text(of: Int($0 / 1_000)) } ?? "?"
      Console.print(
        "\(registration["application"]?.string ?? "?")  since \(date)  \(registration["distributor"]?.string ?? "?")"
      )
    }
  }
}

/// The command `usher push unregister`, which ends a registration.
struct PushUnregisterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unregister", abstract: "End the registration of an application.",
    discussion: HelpText.discussion(
      "Messages of its server are dropped from then on, and so are those that wait for a start of the application. An application that is not registered is not an error.",
      exit: [
        0: "success", 1: "the registration cannot be removed", 64: "the arguments are wrong",
        69: "the daemon cannot be reached",
      ],
      examples: ["End a registration": "usher push unregister org.example.Notes"]))

  @Argument(application: "Name the application by its desktop-file ID.")
  var application: String

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    try TriggersConnection.change(to: "end the registration", json: json) { triggers throws(BusError) in
      try triggers.call(
        TriggersInterface.unregisterForRemoteNotifications, application, timeout: .seconds(60))
    }
  }
}
