// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import FileOutput
import Freedesktop
import Glibc
import Launching
import RemoteProtocol
import Systemd

/// A connection to another machine whose links open on this desktop: a relay here, and its socket on the machine.
final class RemoteConnection {
  /// The cause for which a connection is not kept any longer.
  enum EndReason {
    /// A signal to this process.
    case interruption
    /// `usher remote disconnect`, which has removed the description of the connection.
    case disconnection
    /// The refusal of a further attempt, which cannot succeed before the user acts.
    case refusal
  }

  private let ssh: SSHClient
  private let claim: ConnectionClaim
  private let carrier: RedirectCarrier
  /// The path of the socket on the machine, which is another one for each connection.
  private var remoteSocket: String?
  private var master: SSHMaster?

  /// The machine.
  var machine: RemoteMachine { ssh.machine }

  /// Connects to the host of a client of ssh, and forwards the socket of a relay to it.
  ///
  /// - Parameters:
  ///   - claim: The claim of this process to the machine.
  ///   - interruption: The signals that end the attempt.
  /// - Throws: `RemoteFailure` with the reason.
  init(
    over ssh: SSHClient, with claim: ConnectionClaim, until interruption: SignalDescriptor?
  ) throws(RemoteFailure) {
    self.ssh = ssh
    self.claim = claim
    let environment = ssh.environment
    master = try ssh.connect(asks: true, until: interruption)
    do throws(RemoteFailure) {
      let (machine, socket) = (ssh.machine, ssh.files.socket)
      carrier = try RedirectCarrier(over: ssh) { () throws(RemoteFailure) in
        try Self.startRelay(of: machine, at: socket, environment)
      }
    } catch {
      ssh.control("exit")
      throw error
    }
    do throws(RemoteFailure) {
      try forward(warnsOfMissingClient: true)
      try ssh.files.write(
        ConnectionDescription(of: ssh.machine, host: ssh.host, user: ssh.user, options: ssh.options))
    } catch {
      end()
      throw error
    }
  }

  /// Runs a command of the user on the machine at this terminal, and returns its exit status.
  ///
  /// It starts a thread, so that the signals that this process handles must be blocked before.
  func run(_ arguments: [String], until interruption: SignalDescriptor?) -> Int32 {
    carrier.start()
    return ssh.runAtTerminal(arguments, interruption: interruption)
  }

  /// Keeps the connection, connects again after it was lost, and returns the cause of its end.
  ///
  /// - Parameters:
  ///   - interruption: The signals, which are received by no other thread.
  ///   - report: Receives what happens.
  func keep(_ interruption: SignalDescriptor, _ report: (String) -> Void) -> EndReason {
    carrier.start()
    while true {
      // ^C ends ssh, too.
      guard let master, master.waitForEnd(or: interruption.rawValue),
        !Polling.wait(for: interruption.rawValue, by: .now)
      else { return .interruption }
      // It has exited, and is reaped.
      master.end()
      self.master = nil
      guard ssh.files.isDescribed else { return .disconnection }
      report("the connection to \(ssh.host) was lost; it is made again as soon as the host can be reached")
      if let reason = reconnect(interruption, report) { return reason }
      report("connected to \(ssh.host) again")
    }
  }

  /// Connects again, in as many attempts as necessary; returns `nil`, or the cause for which there are no more.
  private func reconnect(_ interruption: SignalDescriptor, _ report: (String) -> Void) -> EndReason? {
    var backoff = Backoff()
    // The next attempts fail for the same reasons.
    var reasons: Set<String> = []
    func reportOnce(_ reason: String) {
      if reasons.insert(reason).inserted { report("\(reason); trying again") }
    }
    while true {
      if let reason = wait(backoff.next(), interruption) { return reason }
      let master: SSHMaster
      do throws(RemoteFailure) {
        master = try ssh.reread(until: interruption).connect(asks: false, until: interruption)
      } catch {
        switch error.refusal {
        case .final(let reason):
          report(reason)
          return .refusal
        case .temporary(let reason): reportOnce(reason)
        case nil: break
        }
        continue
      }
      self.master = master
      guard ssh.files.isDescribed else { return .disconnection }
      // sshd leaves the socket of a lost connection behind. Its directory may be gone, as after a restart of the machine.
      removeRemoteSocket()
      do throws(RemoteFailure) {
        try forward()
        return nil
      } catch {
        reportOnce("\(error)")
      }
      master.end()
      self.master = nil
    }
  }

  /// Waits for a time in whole seconds; returns `nil`, or the cause for which the connection is ended before.
  private func wait(_ time: Duration, _ interruption: SignalDescriptor) -> EndReason? {
    for _ in 0..<time.components.seconds {
      guard !Polling.wait(for: interruption.rawValue, by: .now + .seconds(1)) else { return .interruption }
      guard ssh.files.isDescribed else { return .disconnection }
    }
    return nil
  }

  /// Ends the connection, and removes its files.
  func end() {
    if master != nil {
      removeRemoteSocket()
      ssh.control("exit")
      master?.end()
    }
    carrier.end()
    ssh.files.remove()
  }

  private func removeRemoteSocket() {
    guard let remoteSocket else { return }
    _ = try? ssh.run("rm -f '\(remoteSocket)'\n")
    self.remoteSocket = nil
  }

  /// Forwards a new socket on the machine to the relay.
  private func forward(warnsOfMissingClient: Bool = false) throws(RemoteFailure) {
    guard let socket = try Self.prepare(ssh, warnsOfMissingClient: warnsOfMissingClient) else {
      throw RemoteFailure(
        description:
          "\(ssh.host) has no private directory for a socket, with \(RemoteDirectory.rule): neither $XDG_RUNTIME_DIR nor "
          + "/tmp/usher-remote-UID can be used there")
    }
    remoteSocket = socket
    guard let status = ssh.forward(socket, to: ssh.files.socket) else {
      throw RemoteFailure(description: "\(ssh.host) has not forwarded a socket within 10 s; try again")
    }
    guard status.isSuccess else {
      throw RemoteFailure(
        description:
          "\(ssh.host) does not forward sockets; allow it there with AllowStreamLocalForwarding in sshd_config"
      )
    }
  }

  /// Makes a private directory on the machine, and returns the path of a new socket in it; can warn that no client is installed there.
  private static func prepare(_ ssh: SSHClient, warnsOfMissingClient: Bool) throws(RemoteFailure) -> String? {
    let name = String(UInt64.random(in: .min ... .max), radix: 36)
    let script = """
      d=${XDG_RUNTIME_DIR:-/run/user/$(id -u)}
      if [ -d "$d" ] && [ -w "$d" ]; then d=$d/usher-remote; else d=/tmp/usher-remote-$(id -u); fi
      [ -x "$HOME/.local/bin/usher" ] || command -v usher >/dev/null || command -v usher-open >/dev/null || echo no-client
      mkdir -m 700 "$d" 2>/dev/null
      [ ! -L "$d" ] && [ -d "$d" ] && [ -O "$d" ] && chmod 700 "$d" && printf '%s\\n' "$d"

      """
    let lines = try ssh.run(script)
    guard let directory = lines.last.flatMap({ RemoteDirectory($0) }) else { return nil }
    if warnsOfMissingClient, lines.contains("no-client") {
      Console.warn(
        "no client of Usher is installed on \(ssh.host), so links there do not open here; run: "
          + ssh.command("usher", "remote", "setup"))
    }
    return "\(directory.path)/\(name)"
  }

  private static func startRelay(
    of machine: RemoteMachine, at path: String, _ environment: [String: String]
  ) throws(RemoteFailure) -> sending PipedProcess {
    guard let program = UserEnvironment.program(besideThis: "usher-remote"), access(program, X_OK) == 0 else {
      throw RemoteFailure(description: "Usher is not installed completely: usher-remote is missing")
    }
    do throws(SystemdError) {
      let relay = try PipedProcess(
        ProcessConfiguration(
          executable: program, arguments: ["usher-remote", machine.name, path], environment: environment))
      guard relay.next(by: .now + .seconds(30)) == .line(Array("ready".utf8)) else {
        // One that hangs would remain beside the next.
        relay.end(timeout: .milliseconds(100))
        throw SystemdError("start usher-remote, which has reported an error", code: EIO)
      }
      return relay
    } catch {
      throw RemoteFailure(description: "\(error)")
    }
  }
}

/// The files of the connection to a machine.
struct ConnectionFiles {
  /// The control socket of OpenSSH's client.
  let control: String
  /// The socket of the relay.
  let socket: String
  /// The configuration of ssh while it connects again over a jump host.
  let configuration: String
  /// The file whose lock is the claim of a process to the machine.
  let lock: String
  /// The file with the description of the connection, as long as it is wanted.
  private let description: String

  /// The name of the directory of the files, in `$XDG_RUNTIME_DIR/usher`.
  private static let directoryName = "remote"
  /// The maximum length of a machine's name in the name of a file; the path of a socket has at most 107 bytes.
  private static let longestName = 24

  init(of machine: RemoteMachine, in directory: String) {
    var digest = KeyedDigest(key: [])
    digest.add(text: machine.name)
    // ssh would take a colon in the path of a socket for the end of the path.
    let isPlain =
      machine.name.utf8.count <= Self.longestName && !machine.name.utf8.contains(UInt8(ascii: ":"))
    self.init(named: isPlain ? machine.name : String(digest.hexadecimal().prefix(16)), in: directory)
  }

  /// Creates the files of a connection that belongs to this process alone; no name of a machine begins like theirs.
  init(ofThisProcessIn directory: String) { self.init(named: "+\(getpid())", in: directory) }

  private init(named name: String, in directory: String) {
    control = "\(directory)/\(name).ctl"
    socket = "\(directory)/\(name).sock"
    description = "\(directory)/\(name).host"
    configuration = "\(directory)/\(name).conf"
    lock = "\(directory)/\(name).lock"
  }

  /// A Boolean value that indicates whether the connection is wanted.
  var isDescribed: Bool { access(description, F_OK) == 0 }

  /// The description of the connection; `nil` if there is none.
  var connection: ConnectionDescription? { ConnectionDescription(at: description) }

  /// Writes the description of the connection.
  func write(_ connection: ConnectionDescription) throws(RemoteFailure) {
    try connection.write(to: description)
  }

  /// Writes the configuration of ssh.
  func writeConfiguration(_ text: String) throws(RemoteFailure) {
    let file = open(configuration, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    var code = file < 0 ? errno : text.utf8.writeAll(to: file)
    if file >= 0, close(file) != 0, code == nil { code = errno }
    guard let code else { return }
    let reason = "cannot write \(configuration): \(String(cString: strerror(code)))"
    throw RemoteFailure(description: reason, refusal: .temporary(reason))
  }

  /// Removes the description, so that the connection is not made again.
  func removeDescription() { unlink(description) }

  /// A Boolean value that indicates whether the relay of the connection runs, which ends with the command that has made the connection.
  var hasRelay: Bool { RemoteSocket.isServed(socket) }

  /// Removes all files except that of the lock.
  func remove() { for path in [description, socket, control, configuration] { unlink(path) } }

  /// Returns the directory of the files in a runtime directory.
  static func directory(in runtime: String) -> String {
    "\(runtime)/\(RuntimeDirectory.name)/\(directoryName)"
  }

  /// Returns the directory of the files, mode 0700, and creates it if it is missing.
  static func directory(_ environment: [String: String]) throws(RemoteFailure) -> String {
    guard let runtime = environment["XDG_RUNTIME_DIR"], RuntimeDirectory.make(in: runtime) else {
      throw RemoteFailure(
        description:
          "there is no desktop session here: XDG_RUNTIME_DIR is not set, or not a private directory")
    }
    let path = directory(in: runtime)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw RemoteFailure(description: "cannot create \(path): \(String(cString: strerror(errno)))")
    }
    return path
  }
}
