// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport

/// A connection to a relay, by which a test sends messages that no client of Usher sends.
struct RawRemoteClient: Sendable {
  private let program: RunningProgram

  /// Connects to the relay of a rig.
  static func connect(to rig: RemoteRig) async throws -> RawRemoteClient {
    let program = try await RunningProgram.start(
      "/usr/bin/python3",
      [
        "-u", "-c",
        """
        import json, socket, struct, sys, threading
        peer = socket.socket(socket.AF_UNIX)
        peer.connect(sys.argv[1])
        peer.sendall(b"usher-remote-1\\n")
        def read():
          stream = peer.makefile("rb")
          stream.readline()
          while len(length := stream.read(4)) == 4:
            texts = stream.read(struct.unpack(">I", length)[0]).decode().split("\\0")
            print(json.dumps({"kind": texts[0], **dict(zip(texts[1::2], texts[2::2]))}))
        threading.Thread(target=read, daemon=True).start()
        for line in sys.stdin:
          contents = [b"".join(text.encode() + b"\\0" for text in texts) for texts in json.loads(line)]
          peer.sendall(b"".join(struct.pack(">I", len(content)) + content for content in contents))
        """, rig.socket,
      ])
    let client = RawRemoteClient(program: program)
    _ = try await client.next("ready")
    return client
  }

  /// Sends messages at once: of each its kind, then the names and values.
  func send(_ messages: [String]...) throws {
    program.write(String(decoding: try JSONEncoder().encode(messages), as: UTF8.self) + "\n")
  }

  /// Returns the fields of the next message of a kind, and drops those before it.
  func next(_ kind: String) async throws -> PropertyList {
    try PropertyList(json: try await program.line { $0.hasPrefix("{\"kind\": \"\(kind)\"") })
  }

  /// Waits until the relay has read all messages.
  func settle() async throws {
    try send(["future", "id", "settled"])
    _ = try await program.line { $0.contains("knows no request of the kind") }
  }

  /// Disconnects.
  func disconnect() async {
    program.kill()
    _ = await program.waitUntilExit()
  }
}
