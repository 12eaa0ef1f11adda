import Glibc
import OpenSocket

/// The command's front: brings a plain link to the broker by itself, and becomes the whole command for all else.
///
/// Of what a link costs the command is half: libraries, Swift's runtime, the connection to the bus. A plain link needs one packet
/// to a socket, and no library at all.
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
      // A person at a terminal is told what became of it.
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
