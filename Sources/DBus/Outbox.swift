import CSystemd
import Glibc
import Systemd

// @unchecked: used on the loop's thread alone.
/// Replies, and signals to one receiver, that wait until the bus has read what was sent before them.
///
/// A bus that has much to do reads slowly, and reads what was written to it in its order. Only little is written ahead, and of
/// what waits each receiver gets one message in turn: a caller that causes thousands of replies delays its own alone.
final class Outbox: @unchecked Sendable {
  /// The bytes that the kernel keeps for the bus to read.
  ///
  /// Some thirty small messages, because most of one is the kernel's own part; sd-bus asks for 8 MiB.
  private static let socketBuffer: Int32 = 16 << 10
  /// The most messages that wait, of about 1 KiB; with those beyond them sd-bus waits for the bus.
  private static let capacity = 60_000
  /// The most messages that one turn of the loop sends.
  private static let messagesPerTurn = 32

  private let bus: OpaquePointer
  private let loop: EventLoop
  private var waiting = FairQueue<String, BusMessage>()
  /// Fires when the bus has read, while something waits.
  private var source: OpaquePointer?
  private var descriptor: Int32 = -1

  /// The outbox of a connection that is open.
  init(_ bus: OpaquePointer, on loop: EventLoop) {
    self.bus = bus
    self.loop = loop
    var size = Self.socketBuffer
    setsockopt(sd_bus_get_fd(bus), SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Sends a message to one receiver, now or in its turn.
  ///
  /// - Returns: 0 or more, or the negative `errno` of what cannot be sent.
  func send(_ message: BusMessage, to receiver: () -> String) -> Int32 {
    guard !waiting.isEmpty || !isRoom, watch() else { return sd_bus_send(bus, message.pointer, nil) }
    waiting.append(message, for: receiver())
    if waiting.count > Self.capacity, let next = waiting.popFirst() { sd_bus_send(bus, next.pointer, nil) }
    return 0
  }

  /// Writes all that waits, and waits for nothing more.
  func end() {
    while let message = waiting.popFirst() { sd_bus_send(bus, message.pointer, nil) }
    discard()
  }

  /// Forgets what waits.
  func discard() {
    waiting = FairQueue()
    if let source { sd_event_source_disable_unref(source) }
    source = nil
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Whether sd-bus has written everything that it was given.
  private var isRoom: Bool {
    var count: UInt64 = 0
    return sd_bus_get_n_queued_write(bus, &count) < 0 || count == 0
  }

  /// Watches for room; `false` where that is impossible.
  private func watch() -> Bool {
    if let source { return sd_event_source_set_enabled(source, Int32(SD_EVENT_ON)) >= 0 }
    // sd-bus watches the other one.
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
      // A receiver that has gone misses nothing, and a bus that has gone takes the outbox with it.
      sd_bus_send(bus, message.pointer, nil)
    }
    if waiting.isEmpty { sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF)) }
  }
}
