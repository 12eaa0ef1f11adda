// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

// @unchecked: used only on the loop's thread, which `precondition` enforces.
/// A socket that accepts connections.
///
/// It is created and closed on the loop's thread.
final class ListeningSocket: @unchecked Sendable {
  private let loop: EventLoop
  private let descriptor: Int32
  /// The path and the identity of the socket file, because another program may listen at the path later; `nil` without a file.
  private let file: (path: String, identity: FileIdentity)?
  private let accept: (Int32) -> Void
  /// The source of new connections; `nil` after the socket was closed.
  private var source: EventSource?
  /// A spare descriptor that is closed when the process has none left, so that a connection can be accepted and rejected.
  private var spare: Int32 = -1
  /// The timer that ends a pause without a descriptor; `nil` while the socket accepts connections.
  private var pause: EventSource?
  /// The time until connections are accepted again.
  private static let pauseLength = Duration.seconds(1)

  /// Listens at `path`, replacing an existing socket; only the user may connect (unix(7)).
  ///
  /// - Parameters:
  ///   - type: The type of the socket, such as `SOCK_STREAM`.
  ///   - accept: Called with the descriptor of each connection, which it must close.
  convenience init(
    at path: String, type: __socket_type, on loop: EventLoop, _ accept: @escaping (Int32) -> Void
  ) throws(SystemdError) {
    let listening = usher_listen(path, Int32(type.rawValue))
    guard listening >= 0 else { throw SystemdError("listen at \(path)", code: -listening) }
    let file = FileIdentity(path: path).map { (path: path, identity: $0) }
    try self.init(owning: listening, file: file, on: loop, accept)
  }

  /// Accepts connections to a listening socket, which this object closes.
  init(
    owning listening: Int32, file: (path: String, identity: FileIdentity)? = nil, on loop: EventLoop,
    _ accept: @escaping (Int32) -> Void
  ) throws(SystemdError) {
    precondition(loop.isCurrent, "listeners are made on their loop's thread")
    self.loop = loop
    self.accept = accept
    self.file = file
    descriptor = listening
    do throws(SystemdError) {
      source = try EventSource.readable(loop, descriptor: descriptor) { [weak self] in self?.takeConnection()
      }
    } catch {
      close(descriptor)
      throw error
    }
    openSpare()
    // The first timer of a loop needs a descriptor, which is missing when a pause begins.
    try? EventSource.timer(loop, after: Self.pauseLength) {}.cancel()
  }

  deinit {
    guard let source else { return }
    loop.submit { [descriptor, spare, pause] in
      pause?.cancel()
      source.cancel()
      close(descriptor)
      close(spare)
    }
  }

  /// Stops listening and removes the socket file; accepted connections remain open.
  func end() {
    guard let source else { return }
    if let file, FileIdentity(path: file.path) == file.identity { unlink(file.path) }
    pause?.cancel()
    pause = nil
    source.cancel()
    self.source = nil
    close(descriptor)
    close(spare)
  }

  private func takeConnection() {
    let accepted = usher_accept(descriptor)
    guard accepted >= 0 else {
      // A pending connection that is not accepted would wake up the loop again and again.
      if errno == EMFILE || errno == ENFILE { rejectConnection() }
      return
    }
    accept(accepted)
  }

  /// Accepts and closes the first pending connection with the spare descriptor.
  ///
  /// Another thread may have taken the descriptor, or the last free one. New connections wait for a second then, because the loop would
  /// spin.
  func rejectConnection() {
    close(spare)
    close(usher_accept(descriptor))
    openSpare()
    guard spare < 0 else { return }
    do throws(SystemdError) {
      pause = try EventSource.timer(loop, after: Self.pauseLength) { [weak self] in self?.resume() }
      try source?.setEvents(0)
    } catch {
      end()
    }
  }

  private func resume() {
    pause?.cancel()
    pause = nil
    openSpare()
    do throws(SystemdError) { try source?.setEvents(EPOLLIN.rawValue) } catch { end() }
  }

  private func openSpare() { spare = open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
