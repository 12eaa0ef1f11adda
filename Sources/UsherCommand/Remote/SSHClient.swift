// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import Glibc
import Systemd

/// OpenSSH's client for one host, with a connection that several of its calls share (ssh(1), `-M` and `-S`).
struct SSHClient: MachineShell {
  private let program: String
  /// The host as the user names it.
  let host: String
  /// Further options of ssh(1).
  let options: [String]
  /// The user as whom ssh logs in.
  let user: String
  /// The machine for which the requests of the host count.
  let machine: RemoteMachine
  /// The files of the connection to the machine.
  private(set) var files: ConnectionFiles
  private let directory: String
  /// The environment of ssh and of the relay.
  let environment: [String: String]
  /// The options with which ssh notices a lost network, unless the user has set them.
  private let keepAlive: [String]
  /// The options that limit an attempt to connect again, unless the user has set them.
  private let limit: [String]
  /// The option that keeps ssh from going to the background, where it would outlive this process.
  private let foreground: [String]
  /// The option with which ssh reads its input, and the one with which it runs a command, whatever the user has set for a tunnel.
  private let (input, session): ([String], [String])

  /// Reads the configuration for a host.
  ///
  /// - Throws: `RemoteFailure` if ssh is missing, its configuration is wrong, or it does not verify host keys.
  init(
    _ host: String, options: [String], environment: [String: String]
  ) throws(RemoteFailure) {
    let program = try Self.program(environment)
    guard host.utf8.first != UInt8(ascii: "-"), !host.isEmpty else {
      throw RemoteFailure(description: "“\(host)” is not the name of a host")
    }
    // Without a session, because ssh rejects ForkAfterAuthentication for a session without a command.
    let query = ProcessConfiguration(
      executable: program, arguments: ["ssh", "-N"] + options + ["-G", "--", host], environment: environment)
    guard let text = ProgramOutput(query)?.read(by: .now + .seconds(10)), !text.isEmpty else {
      throw RemoteFailure(
        description:
          "the configuration of ssh for \(host) has an error; run: \(Shell.command(["ssh", "-G"] + options + [host]))"
      )
    }
    var values: [Substring: String] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      if words.count == 2, values[words[0]] == nil { values[words[0]] = String(words[1]) }
    }
    if let checking = values["stricthostkeychecking"], ["false", "no", "off"].contains(checking) {
      throw RemoteFailure(
        description:
          "ssh does not verify the host key of \(host) (StrictHostKeyChecking \(checking)), so nothing shows which "
          + "machine its links come from; remove this option, and connect once with: \(Self.firstLogin(host, options))"
      )
    }
    let knownHosts = values["userknownhostsfile"].map { $0.split(separator: " ") } ?? []
    if values["stricthostkeychecking"] == "accept-new", !knownHosts.isEmpty,
      knownHosts.allSatisfy({ ["/dev/null", "none"].contains($0) })
    {
      throw RemoteFailure(
        description:
          "ssh accepts every host key of \(host) and forgets it (UserKnownHostsFile), so nothing shows which machine its links "
          + "come from; remove this option, and connect once with: \(Self.firstLogin(host, options))")
    }
    // The name whose host key ssh verifies, as it stands in known_hosts.
    let alias = values["hostkeyalias"].flatMap { $0 == "none" ? nil : $0 }
    let address = values["hostname"] ?? host
    let port = values["port"].flatMap { $0 == "22" || alias != nil ? nil : ":\($0)" } ?? ""
    // An IPv6 address with a port could be another address, and known_hosts has brackets, which a name has not.
    let isAmbiguous = alias == nil && !port.isEmpty && address.utf8.contains(UInt8(ascii: ":"))
    guard !isAmbiguous, let machine = RemoteMachine(((alias ?? address) + port).lowercased()) else {
      throw RemoteFailure(
        description: isAmbiguous
          ? "the IPv6 address of \(host) and its port together could be another address; set HostKeyAlias for it in ~/.ssh/config"
          : "the host name of \(host) has unusual characters; set HostKeyAlias for it in ~/.ssh/config")
    }
    guard machine.container == nil else {
      throw RemoteFailure(
        description:
          "\(machine.name) is the name of a container, but \(host) is not a container; set another HostKeyAlias for it in ~/.ssh/config"
      )
    }
    self.program = program
    self.host = host
    self.options = options
    self.machine = machine
    user = values["user"] ?? ""
    self.environment = environment
    keepAlive = values["serveraliveinterval"] == "0" ? ["-o", "ServerAliveInterval=15"] : []
    limit = values["connecttimeout"] == "none" ? ["-o", "ConnectTimeout=30"] : []
    // OpenSSH before 8.7 does not have them, and IgnoreUnknown would replace that of the user's configuration.
    func known(_ option: String, _ value: String) -> [String] {
      values[option.lowercased()[...]] == nil ? [] : ["-o", "\(option)=\(value)"]
    }
    foreground = known("ForkAfterAuthentication", "no")
    (input, session) = (known("StdinNull", "no"), known("SessionType", "default"))
    directory = try ConnectionFiles.directory(environment)
    files = ConnectionFiles(of: machine, in: directory)
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
    (host, options, user) = (connection.host, connection.options, connection.user ?? "")
    self.machine = machine
    self.environment = environment
    (keepAlive, limit, foreground, input, session) = ([], [], [], [], [])
  }

  /// Returns the command with which the user verifies the host key, with the options that the user has given for other purposes.
  ///
  /// - Parameter options: Pairs of a flag and its value.
  private static func firstLogin(_ host: String, _ options: [String]) -> String {
    let pairs = stride(from: 0, to: options.count, by: 2).map { options[$0..<min($0 + 2, options.count)] }
    let others = pairs.filter { pair in
      !["stricthostkeychecking", "userknownhostsfile"].contains {
        pair.last?.lowercased().hasPrefix($0) == true
      }
    }
    return Shell.command(["ssh"] + others.joined() + [host])
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
    guard let claim = try ConnectionClaim.take(at: files.lock), !control("check"), !files.hasRelay else {
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
  func command(_ words: String...) -> String { Shell.command(words + options + [host]) }

  /// Returns the client for a connection beside that of links, which ends with this process.
  func apart() -> SSHClient {
    var client = self
    client.files = ConnectionFiles(ofThisProcessIn: directory)
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
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw RemoteFailure(description: String(cString: strerror(errno))) }
    defer { close(ends[0]) }
    unlink(files.log)
    var configuration = configuration(
      [
        "-M", "-N", "-o", "ControlPersist=no", "-o", "PermitLocalCommand=yes", "-o",
        "LocalCommand=echo connected",
      ] + keepAlive + (asks ? [] : ["-o", "BatchMode=yes", "-E", files.log] + limit), ["--", host])
    configuration.output = ends[1]
    configuration.sharesTerminal = true
    configuration.isBoundToThread = true
    // ssh then restores the terminal, and removes its control socket.
    configuration.endingSignal = SIGTERM
    let child: SpawnedProcess
    do throws(SystemdError) { child = try SpawnedProcess(configuration) } catch {
      close(ends[1])
      throw RemoteFailure(description: "\(error)")
    }
    close(ends[1])
    // ssh runs LocalCommand after the authentication, and closes its output with its end.
    var polled = [ends[0], interruption?.rawValue ?? -1].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while !Polling.wait(for: &polled, by: .now + .seconds(86_400)) {}
    var byte: UInt8 = 0
    if polled[0].revents != 0, read(ends[0], &byte, 1) == 1 { return SSHMaster(child) }
    let isInterrupted = polled[0].revents == 0
    if isInterrupted { child.terminate() }
    _ = child.exitStatus(by: .now + .seconds(10))
    throw RemoteFailure(
      description: isInterrupted
        ? "the connection to \(host) was interrupted" : "ssh cannot connect to \(host)",
      refusal: refusal)
  }

  /// The reason why an attempt to connect without asking the user has failed.
  enum Refusal: Hashable {
    /// A further attempt cannot succeed before the user acts; the sentence says what to do.
    case final(String)
    /// A further attempt may succeed.
    case temporary(String)
  }

  /// The reason in the log of the last attempt to connect; `nil` if ssh has given none.
  private var refusal: Refusal? {
    guard case .bytes(let bytes) = LocalFiles().read(files.log) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    if text.contains("Host key verification failed") {
      return .final(
        "the host key of \(host) has changed or is not known, so that another machine may have answered; run: "
          + command("ssh"))
    }
    // Further attempts could lock the account.
    if ["Permission denied", "Too many authentication failures"].contains(where: { text.contains($0) }) {
      return .final("\(host) needs a password or another answer of yours; connect again")
    }
    return text.split(whereSeparator: \.isNewline).last.map { .temporary(String($0)) }
  }

  let timeout = Duration.seconds(30)

  func program(running command: String) -> ProcessConfiguration {
    configuration(["-o", "BatchMode=yes"] + input + session, ["--", host, command])
  }

  /// Sends a command to the shared connection, such as `exit`.
  @discardableResult
  func control(_ command: String, _ more: [String] = []) -> Bool {
    configuration(["-O", command] + more, ["--", host]).succeeds(by: .now + .seconds(10))
  }

  /// Returns the program whose input and output are a connection to an address on the host, over the shared connection only.
  func connection(to authority: String) -> ProcessConfiguration {
    // Without the shared connection, ssh would make another one. The first value of an option counts.
    var configuration = ProcessConfiguration(
      executable: program,
      arguments: [
        "ssh", "-S", files.control, "-o", "ControlMaster=no", "-o", "ProxyCommand=false", "-o",
        "BatchMode=yes",
      ] + foreground + input + options + ["-W", authority, "--", host], environment: environment)
    configuration.isMute = true
    return configuration
  }

  /// Runs a command of the user, or a login shell, on the host at this terminal, and returns its exit status.
  ///
  /// - Parameters:
  ///   - interruption: The signals that end this process; they end ssh, which then ends the command.
  ///   - isShared: Whether it uses the shared connection, and otherwise one of its own.
  func runAtTerminal(_ words: [String], interruption: SignalDescriptor?, isShared: Bool = true) -> Int32 {
    let words = Array(words.first == "--" ? words.dropFirst() : words[...])
    // A command gets the variables of a login shell that usher remote setup has written.
    let command = words.isEmpty ? [] : [RemoteClientSetup.environment(for: words.joined(separator: " "))]
    var configuration = ProcessConfiguration(
      executable: program,
      arguments: ["ssh", "-S", isShared ? files.control : "none"] + foreground + options + ["--", host]
        + command,
      environment: environment)
    configuration.sharesTerminal = true
    guard let child = try? SpawnedProcess(configuration) else { return 255 }
    while let interruption, !child.waitForEnd(or: interruption.rawValue) {
      // ^C is a signal of the terminal, which ssh has received itself.
      if let number = interruption.take(), number != SIGINT { child.terminate() }
    }
    child.waitForEnd()
    guard case .exited(let code)? = child.exitStatus(by: .now + .seconds(10)) else { return 255 }
    return code
  }

  /// Returns a call of ssh for this program's own purposes; options of the user that concern a login have no effect on it.
  private func configuration(_ own: [String], _ words: [String]) -> ProcessConfiguration {
    // The first value of an option counts.
    let fixed = [
      "RequestTTY=no", "RemoteCommand=none", "ClearAllForwardings=no", "NoHostAuthenticationForLocalhost=no",
    ].flatMap { ["-o", $0] }
    return ProcessConfiguration(
      executable: program,
      arguments: ["ssh", "-S", files.control] + fixed + foreground + own + options + words,
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
