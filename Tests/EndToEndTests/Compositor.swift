// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A sway without a screen, and the focus of its windows.
struct Compositor {
  /// The variables with which programs reach it.
  let session: [String: String]
  private let directory: TemporaryDirectory
  private let sway: RunningProgram
  private let events: RunningProgram

  static func start(on desk: InstalledDesktop) async throws -> Compositor {
    let directory = try TemporaryDirectory()
    let configuration = try directory.write(
      "focus_on_window_activation focus\nexec sh -c 'echo ready \"$WAYLAND_DISPLAY\" \"$SWAYSOCK\"'\n",
      to: "config")
    // sway refuses to run as root.
    let isRoot = getuid() == 0
    if isRoot { try await Command.run("chown", ["-R", "65534:65534", directory.path]).orThrow() }
    let drop = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
    let variables = [
      "XDG_RUNTIME_DIR": directory.path, "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1",
      "WLR_RENDERER": "pixman", "PATH": Command.defaultPath,
    ]
    let sway = try await RunningProgram.start(
      "env", drop + ["sway", "-c", configuration], environment: variables)
    let ready = try await sway.line { $0.hasPrefix("ready ") }.split(separator: " ").map(String.init)
    guard ready.count == 3 else { throw TestSupportError("sway has no display: \(ready)") }
    let session = [
      "WAYLAND_DISPLAY": "\(directory.path)/\(ready[1])", "DISPLAY": "", "XDG_SESSION_TYPE": "wayland",
      "SWAYSOCK": ready[2], "GSK_RENDERER": "cairo",
    ]
    let events = try await RunningProgram.start(
      "swaymsg", ["-r", "-m", "-t", "subscribe", "[\"window\"]"],
      environment: desk.desktop.environment.merging(session) { $1 })
    return Compositor(session: session, directory: directory, sway: sway, events: events)
  }

  /// Starts a program that clicks on a point of the screen of 1280 × 720 again and again, because a program misses the first clicks
  /// of a new pointer.
  ///
  /// The clicks have serial numbers of the compositor, without which it issues no activation token.
  func startClicking(x: Int, y: Int) async throws -> RunningProgram {
    try await RunningProgram.start(
      "/usr/bin/python3", ["-c", Self.pointer, "\(x)", "\(y)"],
      environment: ["PATH": Command.defaultPath].merging(session) { $1 })
  }

  /// A client of `zwlr_virtual_pointer_manager_v1`, in the wire protocol of Wayland.
  private static let pointer = """
    import os, socket, struct, sys, time
    x, y = int(sys.argv[1]), int(sys.argv[2])
    display = socket.socket(socket.AF_UNIX)
    display.connect(os.environ["WAYLAND_DISPLAY"])
    send = lambda object, opcode, body=b"": display.sendall(struct.pack("=IHH", object, opcode, 8 + len(body)) + body)
    receive = lambda count: display.recv(count, socket.MSG_WAITALL) if count else b""
    manager = "zwlr_virtual_pointer_manager_v1"
    name_text = struct.pack("=I", len(manager) + 1) + manager.encode() + bytes(4 - len(manager) % 4)
    # The registry has the ID 2, and a callback that follows it 3.
    send(1, 1, struct.pack("=I", 2))
    send(1, 0, struct.pack("=I", 3))
    while True:
      object, opcode, size = struct.unpack("=IHH", receive(8))
      body = receive(size - 8)
      if object == 3: break
      if object != 2: continue
      number, length = struct.unpack_from("=II", body)
      if body[8:7 + length] == manager.encode(): send(2, 0, struct.pack("=I", number) + name_text + struct.pack("=II", 1, 4))
    send(4, 0, struct.pack("=II", 0, 5))
    while True:
      send(5, 1, struct.pack("=IIIII", 0, x, y, 1280, 720))
      send(5, 4)
      for state in (1, 0):
        send(5, 2, struct.pack("=III", 0, 0x110, state))
        send(5, 4)
      time.sleep(0.2)
    """

  /// Waits until the window with this title gets the focus.
  func waitForFocus(on title: String) async throws {
    _ = try await events.line {
      $0.contains("\"change\": \"focus\"") && $0.contains("\"name\": \"\(title)\"")
    }
  }
}
