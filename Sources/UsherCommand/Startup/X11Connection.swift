// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A connection to an X server that can broadcast a text to the clients of its first screen.
///
/// The numbers are those of the protocol's encoding (X Window System Protocol, version 11, appendix B). Both sides use
/// the byte order of this machine, which is little-endian on all supported platforms.
final class X11Connection {
  /// The root window of the first screen.
  let root: UInt32
  private let socket: Int32
  private let firstID: UInt32

  /// Connects to the display that the environment names; `nil` if there is none or the server rejects the connection.
  ///
  /// - Parameter timeout: the timeout of each step in seconds; 0 for none.
  init?(_ variable: (String) -> String?, timeout: Int = 1) {
    guard let display = variable("DISPLAY").flatMap({ X11Display($0) }),
      let socket = display.connect(timeout: timeout)
    else { return nil }
    let setup = Self.greet(socket, X11Authority(for: display, variable)?.cookie)
    guard let setup, let (firstID, root) = Self.read(setup) else {
      close(socket)
      return nil
    }
    (self.socket, self.firstID, self.root) = (socket, firstID, root)
  }

  deinit { close(socket) }

  /// Returns the setup reply after its first eight bytes; `nil` if the server rejects the connection.
  private static func greet(_ socket: Int32, _ cookie: [UInt8]?) -> [UInt8]? {
    let name = cookie == nil ? [] : Array(X11Authority.scheme.utf8)
    let data = cookie ?? []
    var greeting = X11Message([UInt8(ascii: "l"), 0])
    greeting.add(UInt16(11), UInt16(0), UInt16(name.count), UInt16(data.count), UInt16(0))
    greeting.add(padded: name)
    greeting.add(padded: data)
    guard send(greeting.bytes, to: socket), let head = receive(8, from: socket), head[0] == 1 else {
      return nil
    }
    return receive(4 * Int(number(head, at: 6, of: UInt16.self)), from: socket)
  }

  /// Returns the first resource ID of this client, and the root window.
  private static func read(_ setup: [UInt8]) -> (UInt32, UInt32)? {
    guard setup.count >= 32 else { return nil }
    let vendor = Int(number(setup, at: 16, of: UInt16.self))
    let screen = 32 + (vendor + 3) / 4 * 4 + 8 * Int(setup[21])
    guard screen + 4 <= setup.count else { return nil }
    return (number(setup, at: 4, of: UInt32.self), number(setup, at: screen, of: UInt32.self))
  }

  /// Returns the atom of a name; `nil` if the connection is lost.
  func atom(_ name: String) -> UInt32? {
    var request = X11Message([16, 0])
    request.add(UInt16(2 + (name.utf8.count + 3) / 4), UInt16(name.utf8.count), UInt16(0))
    request.add(padded: Array(name.utf8))
    guard send(request), let reply = reply() else { return nil }
    return Self.number(reply, at: 8, of: UInt32.self)
  }

  /// Broadcasts `text` to the clients that watch the root window.
  ///
  /// The text and its NUL are split into messages of twenty bytes; the first has the type `begin`, the others the type
  /// `more`.
  ///
  /// - Returns: `true` if the server has sent the messages.
  func broadcast(_ text: String, begin: String, more: String) -> Bool {
    guard let begin = atom(begin), let more = atom(more) else { return false }
    let window = firstID
    // The window is InputOnly, outside the screen, and ignored by the window manager (override-redirect).
    var create = X11Message([1, 0])
    create.add(UInt16(9))
    create.add(window, root)
    create.add(UInt16(bitPattern: -100), UInt16(bitPattern: -100), UInt16(1), UInt16(1), UInt16(0), UInt16(2))
    create.add(UInt32(0), UInt32(1 << 9), UInt32(1))
    guard send(create) else { return false }
    let bytes = Array(text.utf8) + [0]
    for start in stride(from: 0, to: bytes.count, by: 20) {
      let chunk = Array(bytes[start..<min(start + 20, bytes.count)])
      // SendEvent to the clients that selected PropertyChange on the root window, of a ClientMessage (33) with bytes (8).
      var event = X11Message([25, 0])
      event.add(UInt16(11))
      event.add(root, UInt32(0x40_0000))
      event.add([33, 8, 0, 0])
      event.add(window, start == 0 ? begin : more)
      event.add(chunk + [UInt8](repeating: 0, count: 20 - chunk.count))
      guard send(event) else { return false }
    }
    // The reply to GetInputFocus proves that all earlier requests have been processed.
    return send(X11Message([43, 0, 1, 0])) && reply() != nil
  }

  func send(_ message: X11Message) -> Bool { Self.send(message.bytes, to: socket) }

  /// Returns the next reply; skips events and errors, because every request here is sent only for its reply.
  private func reply() -> [UInt8]? {
    while let packet = nextPacket() {
      if packet[0] == 1 { return packet }
    }
    return nil
  }

  /// Returns the first 32 bytes of the next packet: an error (0), a reply (1) or an event; `nil` if the connection is lost.
  func nextPacket() -> [UInt8]? {
    guard let packet = Self.receive(32, from: socket) else { return nil }
    let more = packet[0] == 1 ? 4 * Int(Self.number(packet, at: 4, of: UInt32.self)) : 0
    // No request of this client has a longer reply.
    guard more <= 64 << 10 else { return nil }
    return more == 0 || Self.receive(more, from: socket) != nil ? packet : nil
  }

  static func number<Number: FixedWidthInteger>(_ bytes: [UInt8], at offset: Int, of: Number.Type) -> Number {
    bytes[offset..<(offset + MemoryLayout<Number>.size)].reversed().reduce(0) { $0 << 8 | Number($1) }
  }

  private static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func receive(_ count: Int, from socket: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var buffer = [UInt8](repeating: 0, count: count - bytes.count)
      let length = recv(socket, &buffer, buffer.count, 0)
      guard length > 0 else { return nil }
      bytes += buffer.prefix(length)
    }
    return bytes
  }
}

/// A builder of a message of the protocol.
struct X11Message {
  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func add<Number: FixedWidthInteger>(_ numbers: Number...) {
    for number in numbers {
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
  }

  mutating func add(_ more: [UInt8]) { bytes += more }

  /// Adds bytes, padded with zeros to a multiple of four.
  mutating func add(padded more: [UInt8]) {
    bytes += more + [UInt8](repeating: 0, count: (4 - more.count % 4) % 4)
  }
}
