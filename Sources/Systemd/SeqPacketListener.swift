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
  private let path: String
  private let descriptor: Int32
  /// The identity of the socket file, because another program may listen at the path later.
  private let file: FileIdentity?
  private let connections = SeqPacketConnection.Count()
  private let mostConnections: Int
  private let longestPacket: Int
  private let question: UInt8?
  private let asksKernel: Bool
  private let receive: Receiver
  /// The source of new connections; `nil` after the listener was closed.
  private var source: EventSource?
  /// A spare descriptor that is closed when the process has none left, so that a connection can be accepted and rejected.
  private var spare: Int32 = -1

  /// Listens at `path`, replacing an existing file.
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
    precondition(loop.isCurrent, "listeners are made on their loop's thread")
    self.loop = loop
    self.path = path
    self.mostConnections = mostConnections
    self.longestPacket = longestPacket
    self.question = question
    self.asksKernel = asksKernel
    self.receive = receive
    let listening = usher_listen(path, Int32(SOCK_SEQPACKET.rawValue))
    guard listening >= 0 else { throw SystemdError("listen at \(path)", code: -listening) }
    descriptor = listening
    file = FileIdentity(path: path)
    do throws(SystemdError) {
      source = try EventSource.readable(loop, descriptor: descriptor) { [weak self] in self?.accept() }
    } catch {
      close(descriptor)
      throw error
    }
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
  }

  deinit {
    guard let source else { return }
    loop.submit { [descriptor, spare] in
      source.cancel()
      close(descriptor)
      close(spare)
    }
  }

  /// Stops listening; connections whose packet was received remain open.
  public func end() {
    guard let source else { return }
    if file != nil, FileIdentity(path: path) == file { unlink(path) }
    source.cancel()
    self.source = nil
    close(descriptor)
    close(spare)
  }

  private func accept() {
    let accepted = usher_accept(descriptor)
    guard accepted >= 0 else {
      // A pending connection that is not accepted would wake up the loop again and again.
      if errno == EMFILE || errno == ENFILE { rejectConnection() }
      return
    }
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

  /// Accepts and closes the first pending connection with the spare descriptor.
  func rejectConnection() {
    close(spare)
    close(usher_accept(descriptor))
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    // Without a spare descriptor the loop would spin for ever, so the listener is closed.
    if spare < 0 { end() }
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
