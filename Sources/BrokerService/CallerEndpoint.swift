import DBus
import Systemd

/// Who asks for something to be opened.
enum CallerEndpoint: Hashable, Sendable {
  /// A connection of the bus.
  case connection(BusName)
  /// A process at the broker's own socket, which asks once.
  case peer(SeqPacketConnection)

  /// The scope of its request IDs where nothing can be read about it: only a connection has a name that is its own.
  var scope: String? {
    switch self {
    case .connection(let name): name.rawValue
    case .peer: nil
    }
  }

  /// The connection that is told how the request goes on.
  var connection: BusName? {
    if case .connection(let name) = self { name } else { nil }
  }
}
