import CSystemd
import Glibc
import Synchronization

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
  private let connections = PacketPeer.Count()
  private let mostConnections: Int
  private let longestPacket: Int
  private let receive: Receiver
  private var source: EventSource?

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
    do throws(SystemdError) {
      source = try EventSource.readable(loop, descriptor) { [weak self] in self?.accept() }
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit {
    loop.submit { [source, descriptor] in
      source?.cancel()
      close(descriptor)
    }
  }

  /// Listens no longer; who has connected keeps its connection.
  public func end() {
    guard let source else { return }
    unlink(path)
    source.cancel()
    self.source = nil
  }

  private func accept() {
    let accepted = usher_accept(descriptor)
    guard accepted >= 0 else { return }
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

  /// Takes the packet, if it has come; whether nothing more is to be waited for.
  private func take(from peer: PacketPeer) -> Bool {
    guard let packet = peer.read(upTo: longestPacket) else { return errno != EAGAIN && errno != EINTR }
    if !packet.isEmpty { receive(peer, packet) }
    return true
  }
}

/// Who is at the other end of a connection of a ``PacketListener``; the connection ends with the last reference, if not before.
public final class PacketPeer: Sendable {
  /// How many there are.
  final class Count: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .relaxed) }
    func add(_ change: Int) { number.wrappingAdd(change, ordering: .relaxed) }
  }

  /// The user who connected.
  public let userID: UInt32
  private let processID: Int32
  /// -1 once it has hung up.
  private let connection: Atomic<Int32>
  private let count: Count

  fileprivate init?(_ descriptor: Int32, _ count: Count) {
    connection = Atomic(descriptor)
    self.count = count
    count.add(1)
    // struct ucred: process, user and group.
    var facts: [UInt32] = [0, 0, 0]
    var size = socklen_t(MemoryLayout<UInt32>.size * facts.count)
    let isKnown = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &facts, &size) == 0
    (processID, userID) = (Int32(bitPattern: facts[0]), facts[1])
    guard isKnown else { return nil }
  }

  deinit { hangUp() }

  /// Ends the connection, on the loop's thread; nobody hears what is sent from now on.
  public func hangUp() {
    let descriptor = connection.exchange(-1, ordering: .relaxed)
    guard descriptor >= 0 else { return }
    count.add(-1)
    close(descriptor)
  }

  private var descriptor: Int32 { connection.load(ordering: .relaxed) }

  /// The process that connected, and whether the kernel itself handed it out: before Linux 6.5 it is whichever has its number
  /// now.
  public var process: (handle: ProcessHandle, isExact: Bool)? {
    let handed = usher_peer_pidfd(descriptor)
    if handed >= 0 {
      guard processID > 0 else {
        close(handed)
        return nil
      }
      return (ProcessHandle(pid: processID, taking: handed), true)
    }
    return ProcessHandle(pid: processID).map { ($0, false) }
  }

  /// The label that a security module gave it, without the final NUL.
  public var securityLabel: String? {
    var label = [UInt8](repeating: 0, count: 4_096)
    var size = socklen_t(label.count)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERSEC, &label, &size) == 0, size > 0 else { return nil }
    return String(decoding: label.prefix(Int(size)).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Sends a packet of one byte; whoever has gone misses it.
  public func send(_ byte: UInt8) {
    withUnsafePointer(to: byte) {
      _ = Glibc.send(descriptor, $0, 1, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
  }

  /// The next packet; empty when there comes none, or one of more bytes; `nil`, with `errno`, when none is there yet.
  fileprivate func read(upTo limit: Int) -> [UInt8]? {
    var length = 0
    let packet = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      length = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC))
      count = length > buffer.count ? 0 : max(length, 0)
    }
    return length < 0 ? nil : packet
  }
}
