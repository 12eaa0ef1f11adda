import Glibc
import OpenSocket

/// The command's front: brings a plain link to the broker by itself, and becomes the whole command for all else.
///
/// Of what a link costs the command is half: libraries, Swift's runtime, the connection to the bus. A plain link needs one packet
/// to a socket, and no library at all.
@main
enum Front {
  static func main() {
    guard let call = PlainCall(CommandLine.arguments, variable: variable), let path = socketPath else {
      WholeCommand.become()
    }
    let id = call.packet.requestID
    switch SocketCall(call.packet).carryOut(at: path) {
    case .done:
      // A person at a terminal is told what became of it.
      if call.isXDGOpen || isatty(STDOUT_FILENO) == 0 { _exit(0) }
      WholeCommand.become(after: "--opened=\(id)")
    case .perhapsOpen: WholeCommand.become(after: "--perhaps-open=\(id)")
    case .unanswered: WholeCommand.become(after: "--sent=\(id)")
    case .notSent: WholeCommand.become()
    }
  }

  private static var socketPath: String? {
    OpenSocket.path(
      runtimeDirectory: variable("XDG_RUNTIME_DIR"), busAddress: variable("DBUS_SESSION_BUS_ADDRESS"))
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
