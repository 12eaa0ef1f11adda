// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import Glibc
import Logging
import RemoteLinks
import RemoteProtocol
import Systemd

/// The relay for the links of one other machine, which `usher remote` starts.
@main
struct UsherRemote {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "--version": print("usher-remote \(BrokerDaemon.version)")
    case "--help", "-h": print(help)
    case _ where arguments.count == 2:
      guard arguments[1].utf8.first == UInt8(ascii: "/") else { fail() }
      guard let machine = machine(named: arguments[0]) else { exit(64) }
      // Before the first thread starts.
      let missing = RelayConfinement.begin(socketAt: arguments[1])
      DaemonProcess.run(as: "usher-remote") { log, signals in
        var log = log
        for reason in missing { log.notice("\(reason)") }
        // The terminal belongs to the programs of the login, and so does the output of a command. A container's relay is a service.
        if isatty(STDERR_FILENO) != 0 || !arguments[0].hasPrefix("container:") { log.logLevel = .warning }
        return await serve(machine, at: arguments[1], log, until: signals)
      }
    default: fail()
    }
  }

  /// Returns the machine of a name; reports a name that cannot be one.
  private static func machine(named name: String) -> RemoteMachine? {
    // The name of the unit's instance.
    let prefix = "container:"
    guard name.hasPrefix(prefix) else {
      let machine = RemoteMachine(name)
      if machine == nil {
        DaemonProcess.printError(
          "usher-remote: “\(name)” is not the name of a machine: \(RemoteMachine.rule)")
      }
      return machine
    }
    let container = name.dropFirst(prefix.count)
    if let machine = RemoteMachine(container: container) { return machine }
    DaemonProcess.printError(
      "usher-remote: “\(container)” cannot be the name of a container here: write it with lower-case letters, digits and . _ -, not only digits, and "
        + "without “container:”, as in usher-remote@work.service")
    return nil
  }

  private static func fail() -> Never {
    DaemonProcess.printError(help)
    exit(64)
  }

  private static func serve(
    _ machine: RemoteMachine, at path: String, _ log: Logger, until signals: AsyncStream<Int32>
  ) async -> Int32 {
    let (stops, stop) = AsyncStream<Void>.makeStream()
    EventLoop.shared.start { for await _ in signals { stop.yield() } }
    // The command that started the relay holds the other end of standard input, so that a relay never outlives it.
    let (lines, line) = AsyncStream<RelayLine>.makeStream()
    EventLoop.shared.start {
      await EventLoop.shared.readLines(of: STDIN_FILENO) { if let read = RelayLine($0) { line.yield(read) } }
      stop.yield()
    }
    let parent = RelayProcess.Parent(lines: lines) {
      // The relay of a container has no parent but the service manager.
      if $0 == .ready { ServiceNotification.ready.send() }
      print($0.text)
      fflush(nil)
    }
    switch await RelayProcess.run(for: machine, at: path, log: log, until: stops, parent: parent) {
    case .stopped: return 0
    case .noBus(let reason):
      DaemonProcess.printError("usher-remote: \(reason)")
      return 69
    case .noSocket(let reason):
      DaemonProcess.printError("usher-remote: \(reason)")
      return 73
    }
  }

  private static let help = """
    usage: usher-remote MACHINE SOCKET | --version | --help

    Opens the links of another machine on this desktop: listens at SOCKET, a new socket in the file system, and sends each request
    to the broker in the name of MACHINE. "usher remote" and "usher ssh" start it, and forward the socket to the machine. It prints
    "ready" when programs can connect, and exits when its standard input ends. For a sign-in that the user has allowed, it prints
    "carry NUMBER HOST PORT TARGET", and reads "carried NUMBER STATUS" or "failed NUMBER". Exit status 64: the arguments are wrong. 69: no session
    bus is available. 73: the socket cannot be created.
    """
}
