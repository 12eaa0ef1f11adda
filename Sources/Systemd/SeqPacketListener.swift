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
  /// The connections whose input has not arrived, in the order of their acceptance.
  private var visitors: [Visitor] = []
  private let mostConnections: Int
  private let longestPacket: Int
  private let question: UInt8?
  private let asksKernel: Bool
  private let receive: Receiver

  /// Listens at `path`, replacing an existing socket.
  ///
  /// - Parameters:
  ///   - mostConnections: the maximum number of open connections; a further one takes the place of the connection that has sent nothing for
  ///     the longest time, or is closed immediately if all have sent their packet.
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

  /// Stops listening, and closes the connections that have sent no packet; the others remain open.
  public func end() {
    socket?.end()
    for visitor in visitors { visitor.leave() }
    visitors = []
  }

  /// Accepts and closes the first pending connection, as without a free descriptor.
  func rejectConnection() { socket?.rejectConnection() }

  private func accept(_ accepted: Int32) {
    guard let peer = SeqPacketConnection(accepted, connections, asksKernel: asksKernel) else { return }
    if connections.value > mostConnections {
      // Peers send immediately after connecting, so the one that has been silent for the longest time gives way.
      guard !visitors.isEmpty else { return }
      visitors.removeFirst().leave()
    }
    let visitor = Visitor(peer)
    // The packet has usually arrived already.
    guard !take(from: visitor) else { return }
    visitor.waiting = try? EventSource.readable(loop, descriptor: accepted) { [weak self] in
      guard self?.take(from: visitor) != false else { return }
      visitor.waiting?.cancel()
      self?.visitors.removeAll { $0 === visitor }
    }
    guard visitor.waiting != nil else { return }
    visitors.append(visitor)
  }

  /// A connection that has not sent all of its input.
  private final class Visitor {
    let peer: SeqPacketConnection
    /// The packet, after which the connection waits for the reply that proves which process sent it; `nil` until the packet has arrived.
    var packet: [UInt8]?
    /// The source of input; `nil` until the connection waits for some.
    var waiting: EventSource?

    init(_ peer: SeqPacketConnection) { self.peer = peer }

    /// Closes the connection.
    func leave() {
      waiting?.cancel()
      peer.hangUp()
    }
  }

  /// Handles the input of a connection; returns whether to stop waiting for more.
  private func take(from visitor: Visitor) -> Bool {
    let peer = visitor.peer
    if let packet = visitor.packet {
      guard peer.readReply() else { return false }
      receive(peer, packet)
      return true
    }
    guard let packet = peer.read(upTo: longestPacket) else { return errno != EAGAIN && errno != EINTR }
    guard !packet.isEmpty else { return true }
    if let question, peer.mustReply, peer.askForReply(by: question) {
      visitor.packet = packet
      return false
    }
    receive(peer, packet)
    return true
  }
}
