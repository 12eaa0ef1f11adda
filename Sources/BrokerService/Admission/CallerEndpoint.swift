import DBus
import Systemd

/// The connection over which a caller sends requests.
enum CallerEndpoint: Hashable, Sendable {
  /// A connection on the bus.
  case connection(BusName)
  /// A process at the broker's open socket, which sends one request.
  case peer(SeqPacketConnection)

  /// The scope of request IDs if the caller cannot be identified; `nil` for a peer, which has no unique name.
  var scope: String? {
    switch self {
    case .connection(let name): name.rawValue
    case .peer: nil
    }
  }

  /// The bus connection that receives progress signals; `nil` for a peer.
  var connection: BusName? {
    if case .connection(let name) = self { name } else { nil }
  }
}
