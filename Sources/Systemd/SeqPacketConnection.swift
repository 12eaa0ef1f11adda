// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc
import Synchronization

/// A connection of a ``SeqPacketListener`` and its peer; it is closed at the latest with the last reference.
public final class SeqPacketConnection: Sendable, Hashable {
  /// The number of open connections.
  final class Count: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .relaxed) }
    func add(_ change: Int) { number.wrappingAdd(change, ordering: .relaxed) }
  }

  /// The user ID of the peer.
  public let userID: UInt32
  private let proof: PeerProof
  /// The process with the ID of the peer; it is the peer if `step` is `known`.
  private let holder: ProcessHandle?
  private let step: Mutex<PeerProof.Step>
  /// The descriptor, or -1 after it was closed.
  private let connection: Atomic<Int32>
  private let count: Count

  /// Creates the connection of an accepted socket; `nil` if the kernel reports no credentials.
  ///
  /// - Parameter asksKernel: whether the kernel is asked for a pidfd; otherwise the proof is the one for Linux before
  ///   6.5.
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

  /// Closes the connection, on the loop's thread; packets sent later are dropped.
  public func hangUp() {
    let descriptor = connection.exchange(-1, ordering: .relaxed)
    guard descriptor >= 0 else { return }
    count.add(-1)
    close(descriptor)
  }

  private var descriptor: Int32 { connection.load(ordering: .relaxed) }

  /// The process that connected; `nil` if it has exited, or if there is no proof of which process it is.
  public var process: ProcessHandle? { step.withLock { $0 == .known ? holder : nil } }

  /// Indicates whether only a reply can prove which process it is.
  var mustReply: Bool { step.withLock { $0 == .ask } }

  /// Asks the peer for a reply with a packet of one byte; returns whether to wait for the reply.
  ///
  /// A packet that has already arrived proves nothing, because a process that has exited since may have sent it
  /// before the pidfd was opened.
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

  /// Reads the reply; returns `false` if it has not arrived yet.
  func readReply() -> Bool {
    var sender: Int32 = -1
    let count = usher_receive_sender(descriptor, &sender)
    if count < 0, errno == EAGAIN || errno == EINTR { return false }
    let next = proof.step(
      afterReplyOf: count > 0 && sender > 0 ? sender : nil, holderIsAlive: holder?.isAlive == true)
    step.withLock { $0 = next }
    return true
  }

  /// The label of a security module, without the final NUL; `nil` if there is none.
  public var securityLabel: String? {
    var label = [UInt8](repeating: 0, count: 4_096)
    var size = socklen_t(label.count)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERSEC, &label, &size) == 0, size > 0 else { return nil }
    return String(decoding: label.prefix(Int(size)).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Sends a packet of one byte; it is dropped if the peer has disconnected.
  public func send(_ byte: UInt8) {
    withUnsafePointer(to: byte) {
      _ = Glibc.send(descriptor, $0, 1, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
  }

  /// Reads the next packet.
  ///
  /// The result is empty if the peer has disconnected or the packet is longer than `limit`, and `nil` on an error in
  /// `errno`, such as `EAGAIN` if no packet has arrived yet.
  func read(upTo limit: Int) -> [UInt8]? {
    var length = 0
    let packet = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      length = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC))
      count = length > buffer.count ? 0 : max(length, 0)
    }
    return length < 0 ? nil : packet
  }

  /// Returns whether both are the same connection.
  public static func == (one: SeqPacketConnection, other: SeqPacketConnection) -> Bool { one === other }

  /// Hashes the identity of the connection.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
