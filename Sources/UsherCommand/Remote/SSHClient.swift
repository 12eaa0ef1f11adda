// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import Glibc
import Systemd

/// OpenSSH's client for one host, with a connection that several of its calls share (ssh(1), `-M` and `-S`).
struct SSHClient: MachineShell {
  private let program: String
  private var configuration: SSHConfiguration
  /// The user as whom ssh logs in.
  let user: String
  /// The machine for which the requests of the host count.
  let machine: RemoteMachine
  /// The files of the connection to the machine.
  private(set) var files: ConnectionFiles
  private let directory: String
  /// The environment of ssh and of the relay.
  let environment: [String: String]

  /// The host as the user names it.
  var host: String { configuration.host }

  /// Further options of ssh(1).
  var options: [String] { configuration.options }

  /// Reads the configuration for a host.
  ///
  /// - Parameter time: The longest time for it: ssh runs each `Match exec`, and may resolve names.
  /// - Throws: `RemoteFailure` if ssh is missing or does not answer, its configuration is wrong, or it does not verify host keys.
  init(
    _ host: String, options: [String], environment: [String: String], within time: Duration = .seconds(60)
  ) throws(RemoteFailure) {
    program = try Self.program(environment)
    guard host.utf8.first != UInt8(ascii: "-"), !host.isEmpty else {
      throw RemoteFailure(description: "“\(host)” is not the name of a host")
    }
    configuration = try Self.configuration(
      of: host, options: options, by: program, environment: environment, within: time)
    try configuration.requireVerifiedHostKey()
    machine = try configuration.machine()
    user = configuration.user
    self.environment = environment
    directory = try ConnectionFiles.directory(environment)
    files = ConnectionFiles(of: machine, in: directory)
  }

  /// Reads the configuration for a host.
  ///
  /// - Parameters:
  ///   - program: The path of ssh.
  ///   - interruption: A descriptor that is readable as soon as the attempt is to be ended; -1 for none.
  private static func configuration(
    of host: String, options: [String], by program: String, environment: [String: String],
    within time: Duration, or interruption: Int32 = -1
  ) throws(RemoteFailure) -> SSHConfiguration {
    // Without a session, because ssh rejects ForkAfterAuthentication for a session without a command.
    let query = ProcessConfiguration(
      executable: program, arguments: ["ssh", "-N"] + options + ["-G", "--", host], environment: environment)
    let check = Shell.command(["ssh", "-N", "-G"] + options + [host])
    let text: String
    switch ProgramOutput(query)?.ending(by: .now + time, or: interruption) {
    // A part of the output could lack the options that decide about host keys.
    case .ended(.exited(0), let output) where !output.isEmpty: text = output
    case nil: throw RemoteFailure(description: "\(program) cannot be executed; run: \(check)")
    case .timeout:
      throw RemoteFailure(
        description:
          "ssh has not read its configuration for \(host) within \(time.components.seconds) s, because this machine is busy, or a command "
          + "of “Match exec” or a name server does not answer; try again, or run: \(check)")
    case .ended(.signalled(let number), _):
      throw RemoteFailure(
        description:
          "ssh was ended by \(ExitStatus.signalled(number)) while it read its configuration for \(host); try again, or run: \(check)"
      )
    case .ended, .unreadable:
      throw RemoteFailure(description: "the configuration of ssh for \(host) has an error; run: \(check)")
    }
    return SSHConfiguration(text, of: host, options: options)
  }

  /// Creates the client that controls the connection to a machine, with whichever options it was made; `nil` if it is not connected.
  ///
  /// The configuration of ssh for the name of the machine is not read, because it can be that of another host, or have an error.
  ///
  /// - Throws: `RemoteFailure` if ssh is missing, or there is no desktop session.
  init?(connectedTo machine: RemoteMachine, environment: [String: String]) throws(RemoteFailure) {
    directory = try ConnectionFiles.directory(environment)
    files = ConnectionFiles(of: machine, in: directory)
    guard let connection = files.connection else { return nil }
    program = try Self.program(environment)
    configuration = SSHConfiguration("", of: connection.host, options: connection.options)
    user = connection.user ?? ""
    self.machine = machine
    self.environment = environment
  }

  private static func program(_ environment: [String: String]) throws(RemoteFailure) -> String {
    guard let program = ProgramSearch(path: environment["PATH"]).find("ssh") else {
      throw RemoteFailure(description: "ssh is missing; install the package openssh-client")
    }
    return program
  }

  /// Returns the claim to the machine; `nil` if another command has connected it, or is connecting it.
  func claim() throws(RemoteFailure) -> ConnectionClaim? {
    // A command of an earlier version has a connection or a relay, and no claim.
    guard let claim = try ConnectionClaim.acquire(at: files.lock), !control("check"), !files.hasRelay else {
      return nil
    }
    // A command that was killed has left it.
    files.removeDescription()
    return claim
  }

  /// A Boolean value that indicates whether the connection to the machine exists, and is a login of the same user.
  ///
  /// ssh uses a shared connection for every user.
  var sharesConnection: Bool { files.connection?.isLogin(of: user) == true && control("check") }

  /// The user of the connection to the machine, if it is a login of another user; otherwise `nil`.
  var otherUser: String? { files.connection.flatMap { $0.isLogin(of: user) ? nil : $0.user } }

  /// Returns a command for the host in a message, with the options that the user has given.
  func command(_ arguments: String...) -> String { Shell.command(arguments + options + [host]) }

  /// Returns the client for a connection beside that of links, which ends with this process.
  func apart() -> SSHClient {
    var client = self
    client.files = ConnectionFiles(ofThisProcessIn: directory)
    return client
  }

  /// Returns the client with the current configuration for the host, for a further connection to the same machine.
  ///
  /// The relay keeps the name of the machine, and so its rights. The host can be another one by then: the user has changed the configuration,
  /// or a `Match` block of it applies in another network.
  ///
  /// - Parameters:
  ///   - time: The longest time for it.
  ///   - interruption: The signals that end the attempt; `nil` if they end this process.
  /// - Throws: `RemoteFailure` if the configuration cannot be read, names another machine or another user, or verifies no host key.
  func reread(
    within time: Duration = .seconds(60), until interruption: SignalDescriptor? = nil
  ) throws(RemoteFailure) -> SSHClient {
    let signals = interruption?.rawValue ?? -1
    var client = self
    do throws(RemoteFailure) {
      client.configuration = try Self.configuration(
        of: host, options: options, by: program, environment: environment, within: time, or: signals)
    } catch {
      // A file can be incomplete, or a name server missing, for a time.
      let isInterrupted = Polling.wait(for: signals, by: .now)
      throw RemoteFailure(
        description: error.description, refusal: isInterrupted ? nil : .temporary(error.description))
    }
    if let refusal = client.configuration.refusal(of: machine, user: user) {
      throw RemoteFailure(description: refusal.reason, refusal: refusal)
    }
    return client
  }

  /// Starts the shared connection, which may ask the user at the terminal, and returns when the host has accepted it.
  ///
  /// The connection ends with the calling thread, also if this process is killed.
  ///
  /// - Parameters:
  ///   - asks: Whether ssh may ask for a password, a passphrase or the trust in a host key.
  ///   - interruption: The signals that end the attempt; `nil` if they end this process.
  /// - Throws: `RemoteFailure`, with the reason that ssh has given if it may not ask.
  func connect(asks: Bool, until interruption: SignalDescriptor? = nil) throws(RemoteFailure) -> SSHMaster {
    unlink(files.control)
    let replacement = asks ? [] : try configurationWithoutQuestions()
    let messages: SSHMessages? = asks ? nil : try SSHMessages()
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw RemoteFailure(description: String(cString: strerror(errno))) }
    defer { close(ends[0]) }
    var master = call(
      [
        "-M", "-N", "-o", "ControlPersist=no", "-o", "PermitLocalCommand=yes", "-o",
        "LocalCommand=echo connected",
      ] + configuration.keepAlive
        + (asks ? [] : ["-o", "BatchMode=yes"] + configuration.limit),
      replacing: replacement)
    if asks { master.sharesTerminal = true } else { prepareWithoutQuestions(&master) }
    master.output = ends[1]
    master.errorOutput = messages?.input
    master.isBoundToThread = true
    // ssh then restores the terminal, and removes its control socket.
    master.endingSignal = SIGTERM
    let child: SpawnedProcess
    do throws(SystemdError) { child = try SpawnedProcess(master) } catch {
      close(ends[1])
      throw RemoteFailure(description: "\(error)")
    }
    close(ends[1])
    messages?.closeInput()
    // ssh runs LocalCommand after the authentication, and closes its output with its end.
    var polled = [ends[0], interruption?.rawValue ?? -1, messages?.output ?? -1].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    repeat {
      while !Polling.wait(for: &polled, by: .now + .seconds(86_400)) {}
      if polled[2].revents != 0, messages?.read() == 0 { polled[2].fd = -1 }
    } while polled[0].revents == 0 && polled[1].revents == 0
    var byte: UInt8 = 0
    if polled[0].revents != 0, read(ends[0], &byte, 1) == 1 {
      messages?.drop()
      return SSHMaster(child)
    }
    let isInterrupted = polled[0].revents == 0
    if isInterrupted { child.terminate() }
    _ = child.exitStatus(by: .now + .seconds(10))
    throw RemoteFailure(
      description: isInterrupted
        ? "the connection to \(host) was interrupted" : "ssh cannot connect to \(host)",
      refusal: messages.flatMap { refusal(in: $0.last()) })
  }

  /// Changes a call of ssh so that the ssh of a jump host asks nothing either.
  ///
  /// The ssh of a jump host is a child with its own configuration, to which `BatchMode` of the command line does not apply. It asks at a
  /// terminal, or with a graphical program. An ssh that a `ProxyCommand` starts gets empty answers.
  private func prepareWithoutQuestions(_ call: inout ProcessConfiguration) {
    call.sharesTerminal = false
    call.environment["SSH_ASKPASS"] = "/bin/false"
  }

  /// Writes the configuration with which the ssh of a jump host asks nothing, and returns the option with which ssh reads it.
  ///
  /// Otherwise, that ssh would log in with empty passwords, and failed logins can lock the account.
  private func configurationWithoutQuestions() throws(RemoteFailure) -> [String] {
    guard let text = configuration.withoutQuestions(at: files.configuration) else { return [] }
    try files.writeConfiguration(text)
    return ["-F", files.configuration]
  }

  /// The reason why an attempt to connect without asking the user has failed.
  enum Refusal: Hashable {
    /// A further attempt cannot succeed before the user acts; the sentence says what to do.
    case final(String)
    /// A further attempt may succeed.
    case temporary(String)

    /// The reason as a sentence.
    var reason: String {
      switch self {
      case .final(let reason), .temporary(let reason): reason
      }
    }
  }

  /// Returns the reason in the messages of an attempt to connect; `nil` if ssh has given none.
  private func refusal(in text: String) -> Refusal? {
    // The messages of the ssh of a jump host are among them.
    let isDirect = !configuration.hasProxy
    if text.contains("Host key verification failed") {
      return .final(
        "the host key of \(host)\(isDirect ? "" : ", or of a jump host before it,") has changed or is not known, so that "
          + "another machine may have answered; run: "
          + command("ssh"))
    }
    // Further attempts could lock the account. Without the parenthesis, it can be the text of a banner, or the error of a connection.
    if ["Permission denied (", "Too many authentication failures"].contains(where: { text.contains($0) }) {
      return .final(
        "\(host)\(isDirect ? "" : ", or a jump host before it,") needs a password or "
          + "another answer of yours; connect again"
      )
    }
    let lines = text.split(whereSeparator: \.isNewline)
    // The last lines are these after the reason that the ssh of a jump host has given.
    let consequences = ["stdio forwarding failed", "exchange_identification", "UNKNOWN port"]
    let reason = lines.last { line in !consequences.contains { line.contains($0) } }
    return (reason ?? lines.last).map { .temporary(String($0)) }
  }

  let timeout = Duration.seconds(30)

  var check: String { Shell.command(["ssh"] + options + [host, "true"]) }

  func program(running command: String) -> ProcessConfiguration {
    call(
      Self.sharing + ["-o", "BatchMode=yes"] + configuration.input + configuration.session, running: [command]
    )
  }

  /// Sends a command to the shared connection, such as `exit`.
  @discardableResult
  func control(_ command: String) -> Bool {
    call(Self.sharing + ["-O", command]).succeeds(by: .now + .seconds(10))
  }

  /// Forwards a socket there to one here, over the shared connection; returns the exit status of ssh, or `nil` if it has not ended within 10 s.
  func forward(_ socket: String, to own: String) -> ExitStatus? {
    call(Self.sharing + ["-O", "forward", "-R", "\(socket):\(own)"]).exitStatus(by: .now + .seconds(10))
  }

  /// Returns the program whose input and output are a connection to an address on the host, over the shared connection only.
  func connection(to authority: String) -> ProcessConfiguration {
    var connection = ProcessConfiguration(
      executable: program,
      arguments: ["ssh", "-S", files.control] + Self.sharing + ["-o", "BatchMode=yes"]
        + configuration.foreground + configuration.input + options + ["-W", authority, "--", host],
      environment: environment)
    connection.isMute = true
    return connection
  }

  /// Runs a command of the user, or a login shell, on the host at this terminal, and returns its exit status.
  ///
  /// - Parameters:
  ///   - interruption: The signals that end this process; they end ssh, which then ends the command.
  ///   - isShared: Whether it uses the shared connection, and otherwise one of its own.
  func runAtTerminal(
    _ arguments: [String], interruption: SignalDescriptor?, isShared: Bool = true
  ) -> Int32 {
    let arguments = arguments.first == "--" ? arguments.dropFirst() : arguments[...]
    // A command gets the variables of a login shell that usher remote setup has written.
    let command =
      arguments.isEmpty ? [] : [RemoteClientSetup.environment(for: arguments.joined(separator: " "))]
    var login = ProcessConfiguration(
      executable: program,
      // A login that finds the connection lost makes its own, which must not remain in the background.
      arguments: ["ssh", "-S", isShared ? files.control : "none", "-o", "ControlMaster=no"]
        + configuration.foreground + options + ["--", host] + command,
      environment: environment)
    login.sharesTerminal = true
    guard let child = try? SpawnedProcess(login) else { return 255 }
    while let interruption, !child.waitForEnd(or: interruption.rawValue) {
      // ^C is a signal of the terminal, which ssh has received itself.
      if let number = interruption.take(), number != SIGINT { child.terminate() }
    }
    child.waitForEnd()
    guard case .exited(let code)? = child.exitStatus(by: .now + .seconds(10)) else { return 255 }
    return code
  }

  /// The options of a call that uses the shared connection, and fails if it is lost; they precede those of the user, because the first value of an option counts.
  ///
  /// ssh would otherwise log in again, and by the configuration of many users keep that connection in the background.
  private static let sharing = ["-o", "ControlMaster=no", "-o", "ProxyCommand=false"]

  /// Returns a call of ssh for this program's own purposes; options of the user that concern a login have no effect on it.
  ///
  /// - Parameter replacement: The option `-F` in place of that of the user.
  private func call(
    _ own: [String], replacing replacement: [String] = [], running command: [String] = []
  ) -> ProcessConfiguration {
    // The first value of an option counts.
    let fixed = [
      "RequestTTY=no", "RemoteCommand=none", "ClearAllForwardings=no", "NoHostAuthenticationForLocalhost=no",
    ].flatMap { ["-o", $0] }
    return ProcessConfiguration(
      executable: program,
      // The last -F counts.
      arguments: ["ssh", "-S", files.control] + fixed + configuration.foreground + own + options + replacement
        + ["--", host] + command,
      environment: environment)
  }
}

/// The process of a shared connection.
struct SSHMaster {
  private let child: SpawnedProcess

  fileprivate init(_ child: SpawnedProcess) { self.child = child }

  /// Waits until the connection ends, or `interruption` is readable; returns whether it has ended.
  func waitForEnd(or interruption: Int32) -> Bool { child.waitForEnd(or: interruption) }

  /// Ends the connection.
  func end() {
    child.terminate()
    _ = child.exitStatus(by: .now + .seconds(5))
  }
}
