// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

// @unchecked: used only on the loop's thread, which `precondition` enforces.
/// A socket in the file system that receives one packet from each connection (`SOCK_SEQPACKET`, unix(7)).
///
/// Only the user may connect. It is created and closed on the loop's thread.
public final class SeqPacketListener: @unchecked Sendable {
  /// A function that is called on the loop's thread with a connection and its packet.
  public typealias Receiver = @Sendable (SeqPacketConnection, [UInt8]) -> Void

  private let loop: EventLoop
  /// The socket; `nil` until the listener is complete.
  private var socket: ListeningSocket?
  private let connections = SeqPacketConnection.Count()
  private let mostConnections: Int
  private let longestPacket: Int
  private let question: UInt8?
  private let asksKernel: Bool
  private let receive: Receiver

  /// Listens at `path`, replacing an existing socket.
  ///
  /// - Parameters:
  ///   - mostConnections: the maximum number of open connections; a further one is closed immediately.
  ///   - longestPacket: the maximum size of a packet in bytes; a connection with a longer one is closed.
  ///   - question: the byte to which a peer replies with a packet, if only that proves which process it is (before
  ///     Linux 6.5); `nil` if peers do not reply, so that such a process remains unknown.
  ///   - asksKernel: whether the kernel is asked for a pidfd; `false` lets tests simulate an earlier kernel.
  public init(
    at path: String, on loop: EventLoop, mostConnections: Int, longestPacket: Int, question: UInt8? = nil,
    asksKernel: Bool = true, _ receive: @escaping Receiver
  ) throws(SystemdError) {
    self.loop = loop
    self.mostConnections = mostConnections
    self.longestPacket = longestPacket
    self.question = question
    self.asksKernel = asksKernel
    self.receive = receive
    socket = try ListeningSocket(at: path, type: SOCK_SEQPACKET, on: loop) { [weak self] descriptor in
      self?.accept(descriptor)
    }
  }

  /// Stops listening; connections whose packet was received remain open.
  public func end() { socket?.end() }

  /// Accepts and closes the first pending connection, as without a free descriptor.
  func rejectConnection() { socket?.rejectConnection() }

  private func accept(_ accepted: Int32) {
    guard let peer = SeqPacketConnection(accepted, connections, asksKernel: asksKernel),
      connections.value <= mostConnections
    else { return }
    var visit = Visit.begun
    // Peers send immediately after connecting, so the packet has usually arrived already.
    guard !take(from: peer, &visit) else { return }
    var waiting: EventSource?
    waiting = try? EventSource.readable(loop, descriptor: accepted) { [weak self] in
      if self?.take(from: peer, &visit) != false {
        waiting?.cancel()
        waiting = nil
      }
    }
  }

  /// The state of a connection.
  private enum Visit {
    /// The connection waits for its packet.
    case begun
    /// The packet has arrived, and the connection waits for the reply that proves which process sent it.
    case asked(packet: [UInt8])
  }

  /// Handles the input of a connection; returns whether to stop waiting for more.
  private func take(from peer: SeqPacketConnection, _ visit: inout Visit) -> Bool {
    switch visit {
    case .begun:
      guard let packet = peer.read(upTo: longestPacket) else { return errno != EAGAIN && errno != EINTR }
      guard !packet.isEmpty else { return true }
      if let question, peer.mustReply, peer.askForReply(by: question) {
        visit = .asked(packet: packet)
        return false
      }
      receive(peer, packet)
    case .asked(let packet):
      guard peer.readReply() else { return false }
      receive(peer, packet)
    }
    return true
  }
}
