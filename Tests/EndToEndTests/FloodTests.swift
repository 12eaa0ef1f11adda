// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

/// Many callers, and callers that do not read their replies; the sending program is `raw-callers.py`.
@Suite struct `Many callers` {
  /// A program that opens connections, each with one request, or one that sends many and never reads.
  private static let script = """
    import os, select, socket, struct, sys
    import gi
    gi.require_version("Gio", "2.0")
    from gi.repository import Gio, GLib

    def call(name, path, member, body=None):
        message = Gio.DBusMessage.new_method_call(name, path, name, member)
        if body: message.set_body(body)
        message.set_serial(1)
        return bytes(message.to_blob(Gio.DBusCapabilityFlags.NONE))

    def connect():
        wire = socket.socket(socket.AF_UNIX)
        wire.connect(sys.argv[1])
        wire.sendall(b"\\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\\r\\n")
        wire.recv(200)
        wire.sendall(b"BEGIN\\r\\n" + call("org.freedesktop.DBus", "/org/freedesktop/DBus", "Hello"))
        return wire

    def opening(url):
        options = {"wait": GLib.Variant("s", "delivered"), "timeout": GLib.Variant("t", 600_000_000)}
        message = call("org.usher.Broker1", "/org/usher/Broker1", "Open", GLib.Variant("(asa{sv})", ([url], options)))
        return message[:8] + struct.pack("<I", 2) + message[12:]

    def answer(wire):
        # The type of the message that replies to serial 2: 2 for a receipt, 3 for an error.
        input = b""
        while True:
            while len(input) >= 16:
                body, _, fields = struct.unpack_from("<III", input, 4)
                size = 16 + (fields + 7) // 8 * 8 + body
                if len(input) < size: break
                if b"\\x05\\x01u\\0" + struct.pack("<I", 2) in input[:size - body]: return input[1]
                input = input[size:]
            if not select.select([wire], [], [], 600)[0]: return "silence"
            more = wire.recv(1 << 16)
            if not more: return "closed"
            input += more

    count = int(sys.argv[3])
    if sys.argv[2] == "each":
        wires = [connect() for _ in range(count)]
        for number, wire in enumerate(wires): wire.sendall(opening(f"{sys.argv[4]}{number}"))
        answers = [answer(wire) for wire in wires]
        print("receipts", answers.count(2), "errors", answers.count(3), "others", count - answers.count(2) - answers.count(3))
    else:
        wire = connect()
        for number in range(count): wire.sendall(opening(f"{sys.argv[4]}{number}"))
        print("sent", flush=True)
        sys.stdin.read()
    """

  private static func start(
    _ desk: InstalledDesktop, _ way: String, _ count: Int, _ prefix: String
  ) async throws -> RunningProgram {
    let script = try desk.desktop.write(script, to: "raw-callers.py")
    let socket = try #require(desk.desktop.busAddress.split(separator: "=").last.map(String.init))
    return try await RunningProgram.start(
      "/usr/bin/python3", [script, socket, way, "\(count)", prefix], environment: desk.desktop.environment)
  }

  /// Returns the broker's memory in KiB, adjusted for the overhead of a sanitizer.
  private static func memory(of broker: Broker) throws -> Double {
    Double(try broker.memory("RssAnon")) / timeoutFactor
  }

  /// Runs `body` with an application that keeps running, and a broker whose memory is measured.
  private static func with(_ body: @Sendable (InstalledDesktop, Target, Broker) async throws -> Void)
    async throws
  {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.gApplication, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.gApplication])
      let broker = try await desk.startBroker()
      try await body(desk, target, broker)
      _ = try await broker.stop()
    }
  }

  @Test func `a thousand concurrent callers all get replies`() async throws {
    try await Self.with { desk, target, broker in
      let callers = try await Self.start(desk, "each", 1_000, "gtk-notes:")
      #expect(try await callers.line() == "receipts 1000 errors 0 others 0")
      for _ in 1...1_000 { _ = try await target.next() }
      // The variables of all these callers are read, in turns.
      #expect(try Self.memory(of: broker) < 70_000)
    }
  }

  @Test func `a caller that never reads delays no other, and costs the broker no memory`() async throws {
    try await Self.with { desk, target, broker in
      let deaf = try await Self.start(desk, "one", 3_000, "gtk-notes:")
      #expect(try await deaf.line() == "sent")
      #expect(try await desk.open("gtk-notes:another").status == 0)
      #expect(try Self.memory(of: broker) < 60_000)
      #expect(try await target.next().urls.first?.hasPrefix("gtk-notes:") == true)
      deaf.closeInput()
      _ = await deaf.waitUntilExit()
    }
  }

  /// Some thirty mebibytes pass through the broker without being retained.
  @Test func `URLs of one mebibyte arrive, longer ones are invalid, and the memory is freed`()
    async throws
  {
    try await Self.with { desk, target, broker in
      let bus = try await desk.connect()
      let url = "gtk-notes:" + String(repeating: "a", count: (1 << 20) - 10)
      var options = OpenOptions()
      options.timeout = .seconds(300)
      try await PipelinedOpener(bus).open([url], options)
      #expect(try await target.nextURLs() == [url])
      let before = try Self.memory(of: broker)
      for _ in 1...8 {
        try await PipelinedOpener(bus).open(Array(repeating: url, count: 4), options)
        for _ in 1...4 { #expect(try await target.nextURLs() == [url]) }
      }
      let after = try Self.memory(of: broker)
      #expect(after < before + 20_000, "\(before) to \(after) KiB")
      let refused = await PipelinedOpener(bus).send([url + "a"], OpenOptions())[0].result
      #expect("\(refused)".contains("org.usher.Error.InvalidURL"), "\("\(refused)".prefix(300))")
    }
  }
}
