// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A socket that forwards to the bus of a desktop, and closes the connection at a method call of a client, once.
struct CutBus: Sendable {
  /// The address for the environment of a client.
  let address: String
  private let proxy: RunningProgram

  /// Starts to forward.
  ///
  /// - Parameters:
  ///   - call: The number of the call that does not arrive, from 1; `nil` if all do.
  ///   - returns: Whether later connections are accepted, and forwarded without an end.
  static func start(
    on desk: InstalledDesktop, cutAt call: Int? = nil, returns: Bool = true
  ) async throws -> CutBus {
    let path = "\(desk.desktop.root)/cut-\(call ?? 0)-\(returns)"
    let proxy = try await RunningProgram.start(
      "/usr/bin/python3",
      ["-c", program, path, desk.desktop.busAddress, "\(call ?? 0)", "\(returns)"])
    _ = try await proxy.line { $0 == "listening" }
    return CutBus(address: "unix:path=\(path)", proxy: proxy)
  }

  /// The number of calls so far.
  func callCount() async throws -> Int {
    proxy.write("count\n")
    let line = try await proxy.line { $0.hasPrefix("count ") }
    guard let count = Int(line.dropFirst(6)) else { throw TestSupportError("no count: \(line)") }
    return count
  }

  /// Closes all connections, and the next one at a method call.
  ///
  /// - Parameter call: The number of the call that does not arrive, from 1; `nil` if all do.
  /// - Returns: The number of calls so far.
  func drop(thenCutAt call: Int? = nil) async throws -> Int {
    proxy.write("drop \(call ?? 0)\n")
    let line = try await proxy.line { $0.hasPrefix("dropped ") }
    guard let count = Int(line.dropFirst(8)) else { throw TestSupportError("no count: \(line)") }
    return count
  }

  /// Waits until the connection was closed, and returns the name of the method that did not arrive.
  func cut() async throws -> String { String(try await proxy.line { $0.hasPrefix("cut ") }.dropFirst(4)) }

  /// Ends the forwarding.
  func end() { proxy.kill() }

  /// The proxy in Python.
  ///
  /// The messages of D-Bus follow the line `BEGIN`. A message has its length in the header: the body at byte 4, the fields at byte 12.
  private static let program = """
    import os, re, socket, struct, sys, threading
    path, bus, cut = sys.argv[1], sys.argv[2].split("path=")[1].split(",")[0], int(sys.argv[3])
    calls = 0
    pairs = set()

    def forward(source, sink):
      try:
        while data := source.recv(65536): sink.sendall(data)
      except OSError:
        pass
      end(source, sink)

    def end(*peers):
      for peer in peers:
        try:
          peer.shutdown(socket.SHUT_RDWR)
        except OSError:
          pass

    def serve(client):
      global calls
      server = socket.socket(socket.AF_UNIX)
      server.connect(bus)
      pairs.add((client, server))
      threading.Thread(target=forward, args=(server, client), daemon=True).start()
      buffer, begun = b"", False
      try:
        while data := client.recv(65536):
          buffer += data
          if not begun:
            place = buffer.find(b"BEGIN\\r\\n")
            size = place + 7 if place >= 0 else len(buffer)
            server.sendall(buffer[:size])
            buffer, begun = buffer[size:], place >= 0
          while begun and len(buffer) >= 16:
            order = "<" if buffer[0] == ord("l") else ">"
            body, _, fields = struct.unpack(order + "III", buffer[4:16])
            size = 16 + (fields + 7) // 8 * 8 + body
            if len(buffer) < size: break
            message, buffer = buffer[:size], buffer[size:]
            if message[1] == 1:
              calls += 1
              if calls == cut:
                member = re.search(rb"\\x03\\x01s\\x00....([A-Za-z0-9_]+)\\x00", message, re.DOTALL)
                print("cut", member.group(1).decode() if member else "?", flush=True)
                if sys.argv[4] == "false":
                  os.unlink(path)
                  os._exit(0)
                return end(client, server)
            server.sendall(message)
      except OSError:
        pass
      end(client, server)

    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(16)

    def accept():
      while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    print("listening", flush=True)
    for line in sys.stdin:
      word, *rest = line.split()
      if word == "count": print("count", calls, flush=True)
      else:
        cut = calls + int(rest[0]) if int(rest[0]) else 0
        for pair in list(pairs): end(*pair)
        print("dropped", calls, flush=True)
    """
}
