import CSystemd
import Glibc

// @unchecked: used on the loop's thread alone, which `precondition` holds it to.
/// A socket in the file system at which each connection brings one packet (`SOCK_SEQPACKET`, unix(7)).
///
/// Only the user may connect. It is made and ended on the loop's thread.
public final class PacketListener: @unchecked Sendable {
  /// Called on the loop's thread with who brought a packet, and the packet.
  public typealias Receiver = @Sendable (PacketPeer, [UInt8]) -> Void

  private let loop: EventLoop
  private let path: String
  private let descriptor: Int32
  /// Which file the socket is: another program may listen at the same path by now.
  private let file: FileIdentity?
  private let connections = PacketPeer.Count()
  private let mostConnections: Int
  private let longestPacket: Int
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
  public init(
    at path: String, on loop: EventLoop, mostConnections: Int, longestPacket: Int,
    _ receive: @escaping Receiver
  ) throws(SystemdError) {
    precondition(loop.isCurrent, "listeners are made on their loop's thread")
    self.loop = loop
    self.path = path
    self.mostConnections = mostConnections
    self.longestPacket = longestPacket
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
      if errno == EMFILE || errno == ENFILE { sendAway() }
      return
    }
    guard let peer = PacketPeer(accepted, connections), connections.value <= mostConnections else { return }
    // Whoever connects sends at once; most often it is there already.
    guard !take(from: peer) else { return }
    var waiting: EventSource?
    waiting = try? EventSource.readable(loop, accepted) { [weak self] in
      if self?.take(from: peer) != false {
        waiting?.cancel()
        waiting = nil
      }
    }
  }

  /// Hangs up on who comes first, for which no descriptor is left but the spare one.
  func sendAway() {
    close(spare)
    close(usher_accept(descriptor))
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    // Better nobody is listened to than that the loop turns round for ever.
    if spare < 0 { end() }
  }

  /// Takes the packet, if it has come; whether nothing more is to be waited for.
  private func take(from peer: PacketPeer) -> Bool {
    guard let packet = peer.read(upTo: longestPacket) else { return errno != EAGAIN && errno != EINTR }
    if !packet.isEmpty { receive(peer, packet) }
    return true
  }
}
