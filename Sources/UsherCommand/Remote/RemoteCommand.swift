// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import Launching
import Systemd

/// The command `usher remote`, which connects machines whose links open on this desktop.
struct RemoteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remote",
    abstract: "Open the links of other machines on this desktop.",
    discussion: HelpText.discussion(
      """
      While a machine is connected, usher open and xdg-open there send links to this desktop. The user is asked about each kind of \
      link, unless a rule with source.remote or a grant (usher grants allow --remote) allows it. If a program there signs in through a \
      redirect to localhost, the user is asked each time, and the answer of the site is carried to the program. A program there can \
      also register a scheme, with usher remote register on that machine, and then receives its links from here. The connection is \
      OpenSSH's, and nothing listens on the network.
      """,
      exit: [
        0: "success", 1: "the subcommand failed; its message says why, and its help lists further statuses",
        64: "the arguments are wrong",
      ],
      examples: [
        "Install the client on a machine": "usher remote setup build.example.org",
        "Connect a machine": "usher remote connect build.example.org",
        "Log in, with links that open here": "usher ssh build.example.org",
        "List the connected machines": "usher remote list",
        "End a connection": "usher remote disconnect build.example.org",
      ]),
    subcommands: [
      RemoteSetupCommand.self, RemoteConnectCommand.self, RemoteListCommand.self,
      RemoteDisconnectCommand.self, RemoteRegisterCommand.self, RemoteUnregisterCommand.self,
    ])
}

/// The host and the options for OpenSSH.
struct RemoteHostArguments: ParsableArguments {
  @Option(
    name: .customShort("o"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Pass this option to ssh, such as -o Port=2222; may be repeated.", valueName: "option")
  )
  var option: [String] = []

  @Option(
    name: .customShort("F"), help: ArgumentHelp("Read this configuration file of ssh.", valueName: "file"),
    completion: .file())
  var configuration: String?

  @Argument(help: ArgumentHelp("Name the machine, as for ssh: HOST, or USER@HOST.", valueName: "host"))
  var host: String

  func validate() throws {
    // The description of a connection has a line for each.
    guard (option + [configuration ?? "", host]).allSatisfy({ !$0.unicodeScalars.contains("\n") }) else {
      throw ValidationError("the host, the options and the file for ssh must not have a line break")
    }
  }

  /// The options for ssh(1).
  var options: [String] {
    (configuration.map { ["-F", UserEnvironment.absolute($0)] } ?? []) + option.flatMap { ["-o", $0] }
  }

  /// Reads the configuration of ssh for the host.
  func client() throws(RemoteFailure) -> SSHClient {
    try SSHClient(host, options: options, environment: LaunchEnvironment.current())
  }
}

/// The command `usher remote connect`, which keeps a machine connected until it is interrupted.
struct RemoteConnectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "connect", abstract: "Connect a machine until this command is interrupted.",
    usage: "usher remote connect [-F <file>] [-o <option> ...] <host>",
    discussion: HelpText.discussion(
      """
      Connects with ssh, which may ask for a password or for the trust in a host key. After a lost connection, it connects again \
      without asking. The machine needs the client in PATH, which usher remote setup installs.
      """,
      exit: [
        0: "the connection was ended", 1: "the machine cannot be connected", 64: "the arguments are wrong",
      ],
      examples: ["Connect a machine": "usher remote connect build.example.org"]))

  @OptionGroup var target: RemoteHostArguments

  func run() throws {
    // Before the thread that carries the answers of sign-ins, which would receive the signals.
    guard let interruption = SignalDescriptor([SIGINT, SIGTERM, SIGHUP]) else { throw ExitCode.failure }
    let connection = try RemoteFailure.reported { () throws(RemoteFailure) in
      let ssh = try target.client()
      guard let claim = try ssh.claim() else { throw Self.failure(of: ssh) }
      return try RemoteConnection(over: ssh, with: claim, until: interruption)
    }
    Console.print("links of \(connection.machine.name) open on this desktop; press Ctrl-C to end this")
    let reason = connection.keep(interruption) { Console.warn($0) }
    connection.end()
    // A pending signal would end this process when it is no longer received here.
    while interruption.take() != nil {}
    if reason == .refusal { throw ExitCode.failure }
  }

  /// Returns the failure for a machine that another command has connected, or is connecting.
  private static func failure(of ssh: SSHClient) -> RemoteFailure {
    guard ssh.files.isDescribed else {
      return RemoteFailure(
        description: "\(ssh.host) is being connected by another command; end that command, or wait for it")
    }
    return RemoteFailure(
      description:
        "\(ssh.host) is connected \(ssh.otherUser.map { "as \($0) " } ?? "")already; to end that connection, run: "
        + Shell.command("usher", "remote", "disconnect", ssh.machine.name))
  }
}

/// The command `usher ssh`, which logs in to a machine whose links open on this desktop.
struct SSHCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ssh", abstract: "Log in to a machine with ssh; its links open on this desktop meanwhile.",
    usage: "usher ssh [-F <file>] [-o <option> ...] <host> [<word> ...]",
    discussion: HelpText.discussion(
      """
      Connects the machine as usher remote connect does, and runs ssh at this terminal. The connection ends with the login or the \
      command, whose exit status is that of usher ssh.
      """,
      exit: [
        0: "the login or the command ended with success; other statuses not named here are its own",
        1: "the machine cannot be connected", 64: "the arguments are wrong", 255: "ssh failed",
      ],
      examples: [
        "Log in": "usher ssh build.example.org",
        "Run a command that opens a link": "usher ssh build.example.org gh auth login --web",
      ]))

  @OptionGroup var target: RemoteHostArguments

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("Run this command there instead of a login shell.", valueName: "word"))
  var arguments: [String] = []

  func run() throws {
    let (ssh, claim) = try RemoteFailure.reported { () throws(RemoteFailure) in
      let ssh = try target.client()
      return (ssh, try ssh.claim())
    }
    guard let claim else {
      Console.warn(Self.note(on: ssh))
      let status = ssh.runAtTerminal(arguments, interruption: nil, isShared: false)
      if status != 0 { throw ExitCode(status) }
      return
    }
    // Before the thread that carries the answers of sign-ins; the connection is ended after ssh.
    let interruption = SignalDescriptor([SIGINT, SIGTERM, SIGHUP])
    let connection = try RemoteFailure.reported { () throws(RemoteFailure) in
      try RemoteConnection(over: ssh, with: claim, until: interruption)
    }
    let status = connection.run(arguments, until: interruption)
    connection.end()
    while interruption?.take() != nil {}
    if status != 0 { throw ExitCode(status) }
  }

  /// Returns the sentence about a machine that another command has connected, or is connecting.
  private static func note(on ssh: SSHClient) -> String {
    if let other = ssh.otherUser {
      return "\(ssh.host) is connected as \(other), so links of \(ssh.user) there do not open here"
    }
    let state = ssh.files.isDescribed ? "is connected already" : "is being connected by another command"
    return "\(ssh.host) \(state); its links open here until that connection ends"
  }
}

/// The command `usher remote list`, which shows the connected machines.
struct RemoteListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the connected machines and containers.",
    discussion: HelpText.discussion(
      """
      Prints one line per machine or container: the name in rules and grants, and the host of ssh or the name of the container. \
      Says which of them are not connected at the moment, and which schemes programs there have registered.
      """,
      exit: [0: "success", 1: "there is no desktop session", 64: "the arguments are wrong"],
      examples: ["List the machines": "usher remote list"]))

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let environment = LaunchEnvironment.current()
    _ = try RemoteFailure.reported(json: json) { () throws(RemoteFailure) in
      try ConnectionFiles.directory(environment)
    }
    let entries = RegistrationService().registration.remoteEntries
    let units = ContainerUnit.gathered()
    let machines = KnownMachine.all(in: environment["XDG_RUNTIME_DIR"] ?? "", units).map { known in
      var known = known
      known.schemes = entries.filter { $0.machine == known.machine.name }.map(\.scheme.rawValue).sorted()
      return known
    }
    guard !json else {
      let entries = machines.map { Variant.dictionary($0.entries) }
      return Console.emit(JSONText.line(["machines": .array(of: "a{sv}", entries)]))
    }
    if machines.isEmpty { Console.warn("no machine is connected") }
    for known in machines {
      let state =
        switch known.state {
        case .connected: ""
        case .disconnected: "  (not connected at the moment)"
        case .silent: "  (does not answer)"
        case .stopped: "  (stopped)"
        case .failed: "  (failed)"
        }
      let schemes = known.schemes.isEmpty ? "" : "  receives \(known.schemes.joined(separator: ", "))"
      Console.print("\(known.machine.name)  \(known.host)\(state)\(schemes)")
    }
    for unit in units where unit.machine == nil && (unit.isEnabled || unit.hasFailed) {
      Console.warn("\(unit.name) is the relay of no container, because of its name; run: usher doctor")
    }
  }
}

/// The command `usher remote disconnect`, which ends a connection.
struct RemoteDisconnectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disconnect", abstract: "End the connection to a machine.",
    usage: "usher remote disconnect [-F <file>] [-o <option> ...] <host>",
    discussion: HelpText.discussion(
      """
      Ends the connection and the relay of a machine, which is given by its name in usher remote list, or as ssh was given it. A name in \
      that list has precedence over an alias in the configuration of ssh. The login or the command of a usher ssh that has made the \
      connection ends, too. Requests that are being delivered continue. For a container, such as container:fedora, the command stops the \
      unit of the relay until the next login.
      """,
      exit: [
        0: "success", 1: "the machine is not connected, or its connection does not end",
        64: "the arguments are wrong",
      ],
      examples: [
        "End a connection": "usher remote disconnect build.example.org",
        "Stop the relay of a container": "usher remote disconnect container:fedora",
      ]))

  /// The longest wait for the end of the connection: an attempt of ssh to make it again has a timeout of 30 s.
  private static let longestWait = Duration.seconds(45)

  @OptionGroup var target: RemoteHostArguments

  func run() throws {
    try RemoteFailure.reported { () throws(RemoteFailure) in
      let environment = LaunchEnvironment.current()
      let name = target.host.lowercased()
      let known = KnownMachine.all(in: environment["XDG_RUNTIME_DIR"] ?? "", ContainerUnit.gathered())
      let container = known.first {
        $0.isContainer && [$0.machine.name, $0.host].contains(name)
          && ![.stopped, .failed].contains($0.state)
      }
      // A host may have the name of a container.
      guard let container, container.host != name || !isConnected else { return try endConnection() }
      let relay = ContainerRelay(of: container.machine)
      try relay.stop(environment)
      Console.print(
        "stopped \(relay.unit) until the next login; to remove it, run: "
          + Shell.command("usher", "remote", "setup", "--container", "--undo", container.host))
    }
  }

  private var isConnected: Bool { (try? client())?.files.isDescribed ?? false }

  /// Returns the client for the machine of this name if it is connected, and otherwise for the host.
  private func client() throws(RemoteFailure) -> SSHClient {
    if target.options.isEmpty, let machine = RemoteMachine(target.host.lowercased()),
      let named = try SSHClient(connectedTo: machine, environment: LaunchEnvironment.current())
    {
      return named
    }
    return try target.client()
  }

  private func endConnection() throws(RemoteFailure) {
    let ssh = try client()
    guard ssh.files.isDescribed else { throw RemoteFailure(description: "\(target.host) is not connected") }
    // Without a user, the argument names the machine.
    if target.host.utf8.contains(UInt8(ascii: "@")), let other = ssh.otherUser {
      throw RemoteFailure(
        description:
          "\(target.host) is not connected, but the same machine is, as \(other); to end that connection, run: "
          + Shell.command("usher", "remote", "disconnect", ssh.machine.name))
    }
    ssh.files.removeDescription()
    let command = ConnectionClaim.holder(at: ssh.files.lock)
    let processes = [command, SocketState.process(at: ssh.files.control)].compactMap(\.self)
    // Ctrl-Z has stopped both, and a process that is stopped neither answers nor ends.
    for process in processes { kill(process, SIGCONT) }
    if !ssh.control("exit") { for process in processes { kill(process, SIGTERM) } }
    // The next command can then connect the machine.
    guard ConnectionClaim.waitForEnd(at: ssh.files.lock, by: .now + Self.longestWait) else {
      throw RemoteFailure(
        description:
          command.map {
            "the command that has connected \(target.host), process \($0), does not exit; to end it, run: kill -KILL \($0)"
          } ?? "an attempt to connect \(target.host) is still in progress; it ends with the timeout of ssh")
    }
  }
}
