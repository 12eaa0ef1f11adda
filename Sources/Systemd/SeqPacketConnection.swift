import CSystemd
import Glibc
import Synchronization

/// Who is at the other end of a connection of a ``SeqPacketListener``; the connection ends with the last reference, if not before.
public final class SeqPacketConnection: Sendable, Hashable {
  /// How many there are.
  final class Count: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .relaxed) }
    func add(_ change: Int) { number.wrappingAdd(change, ordering: .relaxed) }
  }

  /// The user who connected.
  public let userID: UInt32
  private let proof: PeerProof
  /// The process that has the number of the one that connected, and is that one if `step` says so.
  private let holder: ProcessHandle?
  private let step: Mutex<PeerProof.Step>
  /// -1 once it has hung up.
  private let connection: Atomic<Int32>
  private let count: Count

  /// - Parameter asksKernel: whether the kernel is asked for the process itself; otherwise as before Linux 6.5.
  init?(_ descriptor: Int32, _ count: Count, asksKernel: Bool) {
    connection = Atomic(descriptor)
    self.count = count
    count.add(1)
    // struct ucred: process, user and group.
    var facts: [UInt32] = [0, 0, 0]
    var size = socklen_t(MemoryLayout<UInt32>.size * facts.count)
    let isKnown = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &facts, &size) == 0
    let processID = Int32(bitPattern: facts[0])
    userID = facts[1]
    proof = PeerProof(connected: processID)
    let handed = asksKernel ? usher_peer_pidfd(descriptor) : -ENOPROTOOPT
    let holder =
      handed >= 0 ? ProcessHandle(pid: processID, taking: handed) : ProcessHandle(pid: processID)
    self.holder = holder
    step = Mutex(proof.step(after: min(handed, 0) * -1, notKnown: ENOPROTOOPT, hasHolder: holder != nil))
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

  /// The process that connected; `nil` where it has exited, or nothing proves which process it is.
  public var process: ProcessHandle? { step.withLock { $0 == .known ? holder : nil } }

  /// Whether only a reply can prove which process it is.
  var mustReply: Bool { step.withLock { $0 == .ask } }

  /// Asks the peer for a reply by a packet of one byte; whether one is to be waited for.
  ///
  /// What is here already may have been sent before our pidfd was made, by a process that has exited since: it proves nothing.
  func askForReply(by byte: UInt8) -> Bool {
    var waiting: UInt8 = 0
    let hasNoChanges =
      recv(descriptor, &waiting, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
    guard hasNoChanges, usher_pass_credentials(descriptor) == 0 else {
      step.withLock { $0 = .unknown }
      return false
    }
    send(byte)
    return true
  }

  /// Reads the reply; `false` where it has not come yet.
  func readReply() -> Bool {
    var sender: Int32 = -1
    let count = usher_receive_sender(descriptor, &sender)
    if count < 0, errno == EAGAIN || errno == EINTR { return false }
    let next = proof.step(
      afterReplyOf: count > 0 && sender > 0 ? sender : nil, holderIsAlive: holder?.isAlive == true)
    step.withLock { $0 = next }
    return true
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
  public static func == (one: SeqPacketConnection, other: SeqPacketConnection) -> Bool { one === other }

  /// Feeds which connection it is.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
