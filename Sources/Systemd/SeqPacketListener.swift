import CSystemd
import Glibc

// @unchecked: used on the loop's thread alone, which `precondition` holds it to.
/// A socket in the file system at which each connection brings one packet (`SOCK_SEQPACKET`, unix(7)).
///
/// Only the user may connect. It is made and ended on the loop's thread.
public final class SeqPacketListener: @unchecked Sendable {
  /// Called on the loop's thread with who brought a packet, and the packet.
  public typealias Receiver = @Sendable (SeqPacketConnection, [UInt8]) -> Void

  private let loop: EventLoop
  private let path: String
  private let descriptor: Int32
  /// Which file the socket is: another program may listen at the same path by now.
  private let file: FileIdentity?
  private let connections = SeqPacketConnection.Count()
  private let mostConnections: Int
  private let longestPacket: Int
  private let question: UInt8?
  private let asksKernel: Bool
  private let receive: Receiver
  /// `nil` once nobody is listened to.
  private var source: EventSource?
  /// Given up for a moment where the process has no descriptor left, so that who comes can be sent away.
  private var spare: Int32 = -1

  /// Listens at `path`, in the place of whatever is there.
  ///
  /// - Parameters:
  ///   - mostConnections: how many may be open at once; one more is closed as soon as it comes.
  ///   - longestPacket: the bytes of the longest packet that is taken; a connection that brings a longer one is closed.
  ///   - question: the byte to which a peer replies with a packet, where only that proves which process it is (before Linux
  ///     6.5); `nil` where no peer replies, and such a process is never known.
  ///   - asksKernel: whether the kernel is asked for the process; a test says no to be on an earlier kernel.
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
    let listening = usher_listen_for_packets(path)
    guard listening >= 0 else { throw SystemdError("listen at \(path)", code: -listening) }
    descriptor = listening
    file = FileIdentity(path: path)
    do throws(SystemdError) {
      source = try EventSource.readable(loop, descriptor) { [weak self] in self?.accept() }
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

  /// Listens no longer; who has connected and was heard keeps its connection.
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
      // Whoever waits is told by the loop again and again.
      if errno == EMFILE || errno == ENFILE { rejectConnection() }
      return
    }
    guard let peer = SeqPacketConnection(accepted, connections, asksKernel: asksKernel),
      connections.value <= mostConnections
    else { return }
    var visit = Visit.begun
    // Whoever connects sends at once; most often it is there already.
    guard !take(from: peer, &visit) else { return }
    var waiting: EventSource?
    waiting = try? EventSource.readable(loop, accepted) { [weak self] in
      if self?.take(from: peer, &visit) != false {
        waiting?.cancel()
        waiting = nil
      }
    }
  }

  /// Hangs up on who comes first, for which no descriptor is left but the spare one.
  func rejectConnection() {
    close(spare)
    close(usher_accept(descriptor))
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    // Better nobody is listened to than that the loop turns round for ever.
    if spare < 0 { end() }
  }

  /// How far a connection has come.
  private enum Visit {
    /// Its packet is waited for.
    case begun
    /// Its packet is here, and the reply is waited for that proves which process sent it.
    case asked(packet: [UInt8])
  }

  /// Takes what has come; whether nothing more is to be waited for.
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
