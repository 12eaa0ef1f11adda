public import BusInterfaces
import Glibc
import OpenSocket
import Systemd

/// Where a command waits for the one answer to its request: `$XDG_RUNTIME_DIR/usher/callback-TOKEN`.
///
/// The folder is the user's alone, and the name has 128 random bits. Whoever opens the answer's URL has it brought here by the
/// desktop entry of `usher-callback:`. The socket goes with the first answer.
public final class CallbackSocket {
  private let token: String
  private let path: String
  private var listener: Int32
  private static let prefix = "callback-"
  /// How many bytes an answer may have; a URL of the broker's may have as many.
  private static let limit = 64 << 10
  /// How long one that has come may take to say what it brings.
  private static let timeout = Duration.seconds(2)

  /// Waits from now on; `nil` where there is no runtime folder, or it takes no socket.
  public init?(for address: CallbackAddress, in runtimeDirectory: String?) {
    guard let runtimeDirectory, let directory = RuntimeDirectory.open(in: runtimeDirectory) else {
      return nil
    }
    Self.removeAbandoned(in: directory, at: "\(runtimeDirectory)/\(RuntimeDirectory.name)")
    token = address.token
    path = Self.path(of: address, in: runtimeDirectory)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    // Linux gives the socket's file the mode of its inode (unix(7)). The umask is the whole process's, so another thread that makes a
    // file, or sets the umask at the same time, would be hit by a change of it.
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

  /// Returns the answer, which may have come already, and ends; `nil` when none comes until `end`, or before there is
  /// something to read from `interruption`.
  public func answer(
    until end: ContinuousClock.Instant, interruptedBy interruption: Int32 = -1
  ) -> XCallbackAnswer? {
    while Self.wait(for: listener, or: interruption, until: end) {
      let peer = accept(listener, nil, nil)
      guard peer >= 0 else { continue }
      _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
      defer { close(peer) }
      guard let url = Self.read(peer, until: min(end, .now + Self.timeout)),
        let came = CallbackAddress.read(url), came.address.token == token
      else { continue }
      self.end()
      return came.answer
    }
    return nil
  }

  /// Brings an answer to who waits for it; `false` where nobody does: it came too late, or again.
  public static func bring(_ url: String, to address: CallbackAddress, in runtimeDirectory: String?) -> Bool {
    guard let runtimeDirectory else { return false }
    let sender = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard sender >= 0 else { return false }
    defer { close(sender) }
    guard SocketAddress.with(path(of: address, in: runtimeDirectory), { connect(sender, $0, $1) }) == 0 else {
      return false
    }
    var rest = Array(url.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(sender, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  /// All that comes until the other side has no more; `nil` where that is too much, too late, or no text.
  private static func read(_ peer: Int32, until end: ContinuousClock.Instant) -> String? {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while wait(for: peer, until: end) {
      let count = recv(peer, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count == 0 { return String(validating: text, as: UTF8.self) }
      guard count > 0 || errno == EINTR || errno == EAGAIN else { return nil }
      text += buffer.prefix(max(0, count))
      guard text.count <= limit else { return nil }
    }
    return nil
  }

  /// Returns whether there is something to take before `end`, and before there is something in `other`.
  private static func wait(
    for descriptor: Int32, or other: Int32 = -1, until end: ContinuousClock.Instant
  ) -> Bool {
    // Whoever keeps knocking does not keep us beyond the end.
    guard ContinuousClock.now < end else { return false }
    var polled = [descriptor, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return Polling.wait(for: &polled, by: end) && polled[1].revents == 0
  }

  /// Removes the sockets of commands that were ended while they waited: nobody listens there.
  private static func removeAbandoned(in directory: Int32, at path: String) {
    for name in RuntimeDirectory.takeNames(of: directory) where name.hasPrefix(prefix) {
      let visitor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      guard visitor >= 0 else { return }
      let isAbandoned =
        SocketAddress.with("\(path)/\(name)") { connect(visitor, $0, $1) } != 0 && errno == ECONNREFUSED
      if isAbandoned { unlink("\(path)/\(name)") }
      close(visitor)
    }
  }
}
