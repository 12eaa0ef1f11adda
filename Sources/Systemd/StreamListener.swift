// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// A socket in the file system that accepts streams (`SOCK_STREAM`, unix(7)).
///
/// Only the user may connect. It is created and closed on the loop's thread.
public final class StreamListener: Sendable {
  private let socket: ListeningSocket

  /// Listens at `path`, replacing an existing socket.
  ///
  /// - Parameter accept: Called on the loop's thread with each connection, which is closed if nothing retains it.
  public init(
    at path: String, on loop: EventLoop, _ accept: @escaping @Sendable (StreamConnection) -> Void
  ) throws(SystemdError) {
    socket = try ListeningSocket(at: path, type: SOCK_STREAM, on: loop) {
      accept(StreamConnection($0, on: loop))
    }
  }

  /// Stops listening and removes the socket; accepted connections remain open.
  public func end() { socket.end() }
}

// @unchecked: used only on the loop's thread, which `precondition` enforces.
/// A connected stream, which is read when bytes arrive, and whose output is buffered.
///
/// It is used on the loop's thread, and closed with the last reference.
public final class StreamConnection: @unchecked Sendable {
  /// The maximum number of bytes that wait to be sent; a peer that reads no more is disconnected.
  private static let mostWaiting = 8 << 20
  /// The maximum number of bytes that are read at once, so that other connections have their turns.
  private static let chunk = 64 << 10

  private let loop: EventLoop
  /// The descriptor, or -1 after it was closed.
  private var descriptor: Int32
  private var source: EventSource?
  /// Indicates whether the source also fires when the peer can take more bytes.
  private var waitsForPeer = false
  private var waiting: ArraySlice<UInt8> = []
  private var closesWhenSent = false
  /// The end of the time in which the output must be sent before the connection is closed.
  private var closing: LoopTimer?
  private var endsOutputWhenSent = false
  private var receive: ([UInt8]) -> Void = { _ in }
  private var ended: () -> Void = {}

  init(_ descriptor: Int32, on loop: EventLoop) {
    self.descriptor = descriptor
    self.loop = loop
  }

  deinit {
    guard descriptor >= 0 else { return }
    loop.submit { [descriptor, source] in
      source?.cancel()
      Glibc.close(descriptor)
    }
  }

  /// A Boolean value that indicates whether the peer has connected in the network namespace of this process, so that both have the same
  /// ports; `false` if the kernel does not know (before Linux 5.14).
  ///
  /// Only for a connection to a socket in the file system.
  public var hasOwnNetwork: Bool {
    let network = usher_network(descriptor)
    return network != 0 && network == Self.networkOfThisProcess
  }

  private static let networkOfThisProcess: UInt64 = {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return 0 }
    defer { Glibc.close(descriptor) }
    return usher_network(descriptor)
  }()

  /// Starts to read.
  ///
  /// - Parameters:
  ///   - receive: Called with received bytes.
  ///   - ended: Called once, when the peer has disconnected, or after an error.
  public func start(_ receive: @escaping ([UInt8]) -> Void, ended: @escaping () -> Void) {
    precondition(loop.isCurrent, "connections are used on their loop's thread")
    guard descriptor >= 0, source == nil else { return }
    self.receive = receive
    self.ended = ended
    source = try? EventSource.readable(loop, descriptor: descriptor) { [weak self] in self?.proceed() }
    if source == nil { close() }
  }

  /// Sends bytes after those that wait, without blocking.
  public func send(_ bytes: [UInt8]) {
    precondition(loop.isCurrent, "connections are used on their loop's thread")
    guard descriptor >= 0, !closesWhenSent else { return }
    guard waiting.count + bytes.count <= Self.mostWaiting else { return close() }
    waiting += bytes
    write()
  }

  /// Closes the connection when everything is sent, or when a time has passed, because a peer that reads nothing would keep it open.
  ///
  /// Bytes of the peer are not received any more, because the peer could send them without end meanwhile. Bytes that are sent later are
  /// dropped.
  public func closeWhenSent(within time: Duration) {
    precondition(loop.isCurrent, "connections are used on their loop's thread")
    guard descriptor >= 0, !closesWhenSent else { return }
    closesWhenSent = true
    write()
    guard descriptor >= 0 else { return }
    updateEvents()
    closing = LoopTimer(on: loop, after: time) { [weak self] in self?.close() }
    if closing == nil { close() }
  }

  /// Ends the output when everything is sent; bytes of the peer are still received.
  ///
  /// A peer that still sends would lose the output if the connection were closed at once (TCP resets it then).
  public func endOutputWhenSent() {
    endsOutputWhenSent = true
    write()
  }

  /// Closes the connection.
  public func close() {
    guard descriptor >= 0 else { return }
    source?.cancel()
    source = nil
    closing?.cancel()
    closing = nil
    Glibc.close(descriptor)
    descriptor = -1
    let ended = ended
    (self.receive, self.ended) = ({ _ in }, {})
    ended()
  }

  private func proceed() {
    if waitsForPeer { write() }
    if descriptor >= 0, !closesWhenSent { read() }
  }

  private func read() {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, initialized in
      count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
      initialized = max(count, 0)
    }
    if count > 0 { return receive(bytes) }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    close()
  }

  private func write() {
    while !waiting.isEmpty, descriptor >= 0 {
      let count = waiting.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count >= 0 {
        waiting = waiting.dropFirst(count)
      } else if errno == EAGAIN {
        return wait(forPeer: true)
      } else if errno != EINTR {
        return close()
      }
    }
    wait(forPeer: false)
    if closesWhenSent {
      close()
    } else if endsOutputWhenSent, descriptor >= 0 {
      shutdown(descriptor, Int32(SHUT_WR))
    }
  }

  private func wait(forPeer isWaiting: Bool) {
    guard isWaiting != waitsForPeer else { return }
    waitsForPeer = isWaiting
    updateEvents()
  }

  private func updateEvents() {
    guard let source else { return close() }
    do throws(SystemdError) {
      try source.setEvents((closesWhenSent ? 0 : EPOLLIN.rawValue) | (waitsForPeer ? EPOLLOUT.rawValue : 0))
    } catch {
      close()
    }
  }
}
