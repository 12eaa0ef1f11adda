// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc
import Systemd

// @unchecked: used only on the loop's thread.
/// The replies and unicast signals that wait until the bus has read the previous messages.
///
/// A busy bus reads slowly, and in the order of writing. Therefore only a little is written ahead, and the waiting
/// messages are sent round-robin by receiver: a caller that causes thousands of replies delays only its own.
final class Outbox: @unchecked Sendable {
  /// The size of the kernel's send buffer in bytes.
  ///
  /// It holds about thirty small messages, because most of the space is kernel overhead; sd-bus requests 8 MiB.
  private static let socketBuffer: Int32 = 16 << 10
  /// The maximum number of waiting messages, about 1 KiB each; further ones are queued in sd-bus.
  private static let capacity = 60_000
  /// The maximum number of messages that one iteration of the loop sends.
  private static let messagesPerTurn = 32

  private let bus: OpaquePointer
  private let loop: EventLoop
  private var waiting = FairQueue<String, BusMessage>()
  /// An event source that fires when the socket is writable, enabled while messages wait.
  private var source: OpaquePointer?
  private var descriptor: Int32 = -1

  /// Creates the outbox of an open connection.
  init(_ bus: OpaquePointer, on loop: EventLoop) {
    self.bus = bus
    self.loop = loop
    var size = Self.socketBuffer
    setsockopt(sd_bus_get_fd(bus), SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Sends a message to one receiver, immediately or in its turn.
  ///
  /// - Returns: 0 or more, or a negative `errno` value if it cannot be sent.
  func send(_ message: BusMessage, to receiver: () -> String) -> Int32 {
    guard !waiting.isEmpty || !isRoom, watch() else { return sd_bus_send(bus, message.pointer, nil) }
    waiting.append(message, for: receiver())
    if waiting.count > Self.capacity, let next = waiting.popFirst() { sd_bus_send(bus, next.pointer, nil) }
    return 0
  }

  /// Passes all waiting messages to sd-bus and discards the outbox.
  func end() {
    while let message = waiting.popFirst() { sd_bus_send(bus, message.pointer, nil) }
    discard()
  }

  /// Drops all waiting messages and the event source.
  func discard() {
    waiting = FairQueue()
    if let source { sd_event_source_disable_unref(source) }
    source = nil
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Indicates whether sd-bus has written all its queued messages.
  private var isRoom: Bool {
    var count: UInt64 = 0
    return sd_bus_get_n_queued_write(bus, &count) < 0 || count == 0
  }

  /// Enables the event source for writability; returns `false` if that fails.
  private func watch() -> Bool {
    if let source { return sd_event_source_set_enabled(source, Int32(SD_EVENT_ON)) >= 0 }
    // A duplicate, because sd-bus itself watches the original descriptor.
    descriptor = fcntl(sd_bus_get_fd(bus), F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { return false }
    let added = sd_event_add_io(
      loop.event, &source, descriptor, UInt32(EPOLLOUT.rawValue),
      { _, _, _, data in
        guard let data else { return 0 }
        Unmanaged<Outbox>.fromOpaque(data).takeUnretainedValue().flush()
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    guard added < 0 else { return true }
    close(descriptor)
    descriptor = -1
    return false
  }

  private func flush() {
    for _ in 0..<Self.messagesPerTurn where isRoom {
      guard let message = waiting.popFirst() else { break }
      // Errors are ignored: a disconnected receiver needs no message, and with a lost bus the outbox is discarded,
      // too.
      sd_bus_send(bus, message.pointer, nil)
    }
    if waiting.isEmpty { sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF)) }
  }
}
