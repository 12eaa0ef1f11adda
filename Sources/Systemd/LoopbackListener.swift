// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// A socket that accepts streams of programs on this machine at a TCP port of the loopback interface (ip(7), ipv6(7)).
///
/// It is created and closed on the loop's thread.
public final class LoopbackListener: Sendable {
  /// The address of the loopback interface.
  public enum Address: CaseIterable, Sendable {
    /// 127.0.0.1.
    case ipv4
    /// `::1`.
    case ipv6

    fileprivate var family: Int32 { self == .ipv4 ? AF_INET : AF_INET6 }
    fileprivate var text: String { self == .ipv4 ? "127.0.0.1" : "[::1]" }
  }

  private let socket: ListeningSocket

  /// Listens at a port of an address.
  ///
  /// - Parameter accept: Called on the loop's thread with each connection, which is closed if nothing retains it.
  /// - Throws: `SystemdError`, with the code `EADDRINUSE` if a program uses the port.
  public init(
    port: UInt16, of address: Address, on loop: EventLoop,
    _ accept: @escaping @Sendable (StreamConnection) -> Void
  ) throws(SystemdError) {
    socket = try ListeningSocket(owning: Self.listen(port, address), on: loop) {
      accept(StreamConnection($0, on: loop))
    }
  }

  /// Stops listening; accepted connections remain open.
  public func end() { socket.end() }

  /// Returns whether no program uses a port of the loopback interface, at either address.
  public static func isFree(port: UInt16) -> Bool {
    Address.allCases.allSatisfy { address in
      let listening = usher_listen_loopback(address.family, port)
      if listening >= 0 { close(listening) }
      return listening != -EADDRINUSE
    }
  }

  private static func listen(_ port: UInt16, _ address: Address) throws(SystemdError) -> Int32 {
    let listening = usher_listen_loopback(address.family, port)
    guard listening >= 0 else {
      throw SystemdError("listen at \(address.text):\(port)", code: -listening)
    }
    return listening
  }
}

extension SystemdError {
  /// A Boolean value that indicates whether another program uses the port.
  public var isPortInUse: Bool { code == EADDRINUSE }
  /// A Boolean value that indicates whether this machine has no such address, as without IPv6.
  public var isAddressMissing: Bool { [EADDRNOTAVAIL, EAFNOSUPPORT].contains(code) }
}
