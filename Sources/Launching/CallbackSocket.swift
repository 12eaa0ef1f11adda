// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
import Glibc
import OpenSocket
import Systemd

/// The socket at which a command waits for the answer to its request: `$XDG_RUNTIME_DIR/usher/callback-TOKEN`.
///
/// Only the user can enter the directory, and the name has 128 random bits. The desktop entry of `usher-callback:`
/// sends the answer's URL here when an application opens it. The socket is removed with the first answer.
public final class CallbackSocket {
  private let token: String
  private let path: String
  /// The descriptor that is readable when a sender has connected; -1 after the answer.
  public var descriptor: Int32 { listener }
  private var listener: Int32
  private static let prefix = "callback-"
  /// The maximum size of an answer in bytes.
  public static let maximumSize = 64 << 10
  /// The timeout for a connected sender to send its answer, and for a sender whose answer is not accepted.
  private static let timeout = Duration.seconds(2)

  /// Creates the socket and listens; `nil` if there is no runtime directory or the socket cannot be created in it.
  public init?(for address: CallbackAddress, in runtimeDirectory: String?) {
    guard let runtimeDirectory, let directory = RuntimeDirectory.open(in: runtimeDirectory) else {
      return nil
    }
    Self.removeAbandoned(in: directory, at: "\(runtimeDirectory)/\(RuntimeDirectory.name)")
    token = address.token
    path = Self.path(of: address, in: runtimeDirectory)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    // Linux gives the socket's file the mode of its inode (unix(7)). The umask is not used, because it belongs to the
    // whole process and would affect files that other threads create.
    guard fchmod(listener, 0o600) == 0, SocketAddress.with(path, { bind(listener, $0, $1) }) == 0,
      listen(listener, 8) == 0
    else {
      end()
      return nil
    }
  }

  deinit { end() }

  private func end() {
    guard listener >= 0 else { return }
    unlink(path)
    close(listener)
    listener = -1
  }

  private static func path(of address: CallbackAddress, in runtimeDirectory: String) -> String {
    "\(runtimeDirectory)/\(RuntimeDirectory.name)/\(prefix)\(address.token)"
  }

  /// Returns the answer, which may have arrived already, and closes the socket.
  ///
  /// `nil` if no answer arrives before `end`, or if `interruption` becomes readable and no sender has connected.
  public func answer(
    until end: ContinuousClock.Instant, interruptedBy interruption: Int32 = -1
  ) -> XCallbackAnswer? {
    var end = end
    while Self.wait(for: listener, or: interruption, until: end) {
      if let answer = nextAnswer(until: end) { return answer }
      // Senders that connect repeatedly must not extend the wait.
      if Polling.wait(for: interruption, by: .now) { end = min(end, .now + Self.timeout) }
    }
    return nil
  }

  /// Returns the answer of a sender that has connected, and closes the socket; `nil` if it sends none in time.
  public func nextAnswer() -> XCallbackAnswer? { nextAnswer(until: .now + Self.timeout) }

  private func nextAnswer(until end: ContinuousClock.Instant) -> XCallbackAnswer? {
    let peer = accept(listener, nil, nil)
    guard peer >= 0 else {
      // The connection remains in the backlog, so that a caller that waits for it would loop without a pause.
      if errno == EMFILE || errno == ENFILE { usleep(100_000) }
      return nil
    }
    _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
    defer { close(peer) }
    guard let url = Self.read(peer, until: min(end, .now + Self.timeout)),
      let came = CallbackAddress.read(url), came.address.token == token
    else { return nil }
    self.end()
    return came.answer
  }

  /// Sends an answer to the command that waits for it; returns `false` if no command does, because it is late or repeated.
  ///
  /// In place of an answer that is too long, an error is sent.
  public static func deliver(_ url: String, to address: CallbackAddress, in runtimeDirectory: String?) -> Bool
  {
    guard let runtimeDirectory else { return false }
    let sender = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard sender >= 0 else { return false }
    defer { close(sender) }
    // It also limits the connection (socket(7)): the command may be stopped, with a full backlog.
    var limit = timeval(tv_sec: Int(timeout.components.seconds), tv_usec: 0)
    setsockopt(sender, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard SocketAddress.with(path(of: address, in: runtimeDirectory), { connect(sender, $0, $1) }) == 0 else {
      return false
    }
    var rest = Array((url.utf8.count <= maximumSize ? url : excess(of: address)).utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(sender, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  /// Returns the answer that reports one that is too long.
  private static func excess(of address: CallbackAddress) -> String {
    let message = "the answer of the application is longer than \(maximumSize >> 10) KiB"
    return XCallbackURL.appending([.init("errorMessage", message)], to: address.url(of: .error))
  }

  /// Returns everything that the peer sends; `nil` if it is too long, too late, or not UTF-8.
  private static func read(_ peer: Int32, until end: ContinuousClock.Instant) -> String? {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while wait(for: peer, until: end) {
      let count = recv(peer, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count == 0 { return String(validating: text, as: UTF8.self) }
      guard count > 0 || errno == EINTR || errno == EAGAIN else { return nil }
      text += buffer.prefix(max(0, count))
      guard text.count <= maximumSize else { return nil }
    }
    return nil
  }

  /// Returns whether `descriptor` becomes readable before `end`, and not after `other`.
  private static func wait(
    for descriptor: Int32, or other: Int32 = -1, until end: ContinuousClock.Instant
  ) -> Bool {
    // A peer that connects repeatedly must not extend the wait.
    guard ContinuousClock.now < end else { return false }
    var polled = [descriptor, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return Polling.wait(for: &polled, by: end) && polled[0].revents != 0
  }

  /// Removes the sockets of commands that exited while they waited, which no process has open.
  private static func removeAbandoned(in directory: Int32, at path: String) {
    for name in RuntimeDirectory.takeNames(of: directory) where name.hasPrefix(prefix) {
      // A datagram socket, with which connect(2) never blocks or fills the backlog: the error is EPROTOTYPE if a process has
      // the socket, even before it listens.
      let visitor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      guard visitor >= 0 else { return }
      let isAbandoned =
        SocketAddress.with("\(path)/\(name)") { connect(visitor, $0, $1) } != 0 && errno == ECONNREFUSED
      if isAbandoned { unlink("\(path)/\(name)") }
      close(visitor)
    }
  }
}
