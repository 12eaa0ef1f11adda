import Glibc
import OpenSocket

/// The front of the command: sends a plain URL to the broker's socket, and executes `usher-command` for everything else.
///
/// Half of the cost of opening a URL is the start of the command: libraries, Swift's runtime, the connection to the
/// bus. A plain URL needs one packet to a socket, and no library.
@main
enum FastPath {
  static func main() {
    guard let call = FastPathArguments(CommandLine.arguments, variable: variable), let path = socketPath
    else {
      FullCommand.become()
    }
    let id = call.packet.requestID
    switch OpenSocketClient(call.packet).carryOut(at: path) {
    case .done:
      // A user at a terminal gets the outcome printed.
      if call.isXDGOpen || isatty(STDOUT_FILENO) == 0 { _exit(0) }
      FullCommand.become(after: "--opened=\(id)")
    case .perhapsOpen: FullCommand.become(after: "--perhaps-open=\(id)")
    case .unanswered: FullCommand.become(after: "--sent=\(id)")
    case .notSent: FullCommand.become()
    }
  }

  private static var socketPath: String? {
    OpenSocket.path(
      runtimeDirectory: variable("XDG_RUNTIME_DIR"), busAddress: variable("DBUS_SESSION_BUS_ADDRESS"))
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
