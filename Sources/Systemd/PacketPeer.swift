import CSystemd
import Glibc
import Synchronization

/// Who is at the other end of a connection of a ``PacketListener``; the connection ends with the last reference, if not before.
public final class PacketPeer: Sendable, Hashable {
  /// How many there are.
  final class Count: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .relaxed) }
    func add(_ change: Int) { number.wrappingAdd(change, ordering: .relaxed) }
  }

  /// The user who connected.
  public let userID: UInt32
  /// When it was let in, in the ticks of ``ProcessFolder/beginning``.
  public let arrival: UInt64
  private let processID: Int32
  /// -1 once it has hung up.
  private let connection: Atomic<Int32>
  private let count: Count

  init?(_ descriptor: Int32, _ count: Count) {
    connection = Atomic(descriptor)
    self.count = count
    arrival = ProcessFolder.now
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

  /// The process that connected, and whether the kernel itself handed it out; `nil` where it has gone.
  ///
  /// Before Linux 6.5 it is whichever has its number now.
  public var process: (handle: ProcessHandle, isExact: Bool)? {
    guard processID > 0 else { return nil }
    let handed = usher_peer_pidfd(descriptor)
    if handed >= 0 { return (ProcessHandle(pid: processID, taking: handed), true) }
    // Only a kernel that does not know the question is asked in the other way.
    return handed == -ENOPROTOOPT ? ProcessHandle(pid: processID).map { ($0, false) } : nil
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
  func read(upTo limit: Int) -> [UInt8]? {
    var length = 0
    let packet = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      length = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC))
      count = length > buffer.count ? 0 : max(length, 0)
    }
    return length < 0 ? nil : packet
  }

  /// Whether both are the same connection.
  public static func == (one: PacketPeer, other: PacketPeer) -> Bool { one === other }

  /// Feeds which connection it is.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
