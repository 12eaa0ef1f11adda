// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A program that reports each of its starts to the test, and exits as the test specifies.
///
/// ```swift
/// let player = try Recorder("My Player", in: desktop)
/// try desktop.installDesktopEntry("org.example.Player", exec: "\(player.execWord) %u", schemes: ["play"])
/// …
/// let start = try await player.nextStart()
/// #expect(start.arguments == ["play:1"])
/// ```
///
/// The program is a script that reports over a socket, so that the test need not poll and misses no start.
public final class Recorder: Sendable {
  /// The behaviour of the program after it has reported its start.
  public enum Behaviour: Sendable {
    /// Exits at once, with this status.
    case exits(Int32 = 0)
    /// Exits after this many seconds, with this status.
    case exitsAfter(seconds: Double, Int32 = 0)
    /// Waits until the test calls `release` on the start, or ends.
    case held
  }

  /// The program's absolute path.
  public let path: String
  /// The path of the socket on which the program reports a start: one connection with one line.
  public let address: String
  /// The starts in the order of arrival, for one consumer at a time; unread starts are buffered.
  public let starts: AsyncStream<RecordedStart>
  private let socket: RecorderSocket

  /// The path as written in an `Exec` line: quoted if the specification requires it.
  public var execWord: String {
    path.contains { " \"'\\<>~|&;$*?#()`\t".contains($0) } ? "\"\(path)\"" : path
  }

  /// Installs a program called `name`, which may contain spaces, in the desktop's `bin`.
  public init(
    _ name: String, in desktop: ThrowAwayDesktop, _ behaviour: Behaviour = .exits()
  ) throws(TestSupportError) {
    let (starts, continuation) = AsyncStream<RecordedStart>.makeStream()
    self.starts = starts
    // The name is short, because a socket's path has at most 107 bytes.
    address = "\(desktop.root)/\(UUID().uuidString.prefix(8)).sock"
    socket = try RecorderSocket(path: address, starts: continuation)
    let (held, seconds, status) =
      switch behaviour {
      case .exits(let status): ("False", 0.0, status)
      case .exitsAfter(let seconds, let status): ("False", seconds, status)
      case .held: ("True", 0.0, Int32(0))
      }
    path = try desktop.installScript(name, Self.script(address, held: held, seconds: seconds, status: status))
  }

  /// Returns the next start; throws if none arrives in time.
  public func nextStart(within time: Duration = Command.defaultDeadline) async throws(TestSupportError)
    -> RecordedStart
  {
    let starts = starts
    let start = try await withDeadline(time, "a start of \(path)") { await starts.first { _ in true } }
    guard let start else { throw TestSupportError("\(path) is no longer listened to") }
    return start
  }

  // Python is installed anyway, and supports JSON, raw arguments and sockets in one line each.
  private static func script(_ address: String, held: String, seconds: Double, status: Int32) -> String {
    """
    #!/usr/bin/python3 -IS
    import json, os, socket, sys, time
    text = lambda s: os.fsencode(s).decode("utf-8", "backslashreplace")
    record = {
      "pid": os.getpid(), "directory": os.getcwd(), "arguments": [text(a) for a in sys.argv[1:]],
      "environment": {text(k): text(v) for k, v in os.environ.items()},
    }
    test = socket.socket(socket.AF_UNIX)
    test.connect("\(address)")
    test.sendall(json.dumps(record).encode() + b"\\n")
    if \(held):
      sys.exit(int(test.recv(16) or b"0"))
    test.close()
    time.sleep(\(seconds))
    sys.exit(\(status))

    """
  }
}
