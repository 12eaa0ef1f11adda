import Foundation

/// A program that tells the test of each of its starts, and ends when and how the test wants.
///
/// ```swift
/// let player = try Recorder("My Player", in: desktop)
/// try desktop.installDesktopEntry("org.example.Player", exec: "\(player.execWord) %u", schemes: ["play"])
/// …
/// let start = try await player.nextStart()
/// #expect(start.arguments == ["play:1"])
/// ```
///
/// The program is a script; what it saw comes over a socket, so nothing is polled and nothing is missed.
public final class Recorder: Sendable {
  /// When the program ends after it has told the test of its start.
  public enum Behaviour: Sendable {
    /// At once, with this exit status.
    case exits(Int32 = 0)
    /// After this many seconds, with this exit status.
    case exitsAfter(seconds: Double, Int32 = 0)
    /// When the test calls `release` on the start, or ends.
    case held
  }

  /// The program's absolute path.
  public let path: String
  /// The socket on which the program tells of a start: one connection, one line.
  public let address: String
  /// Every start in the order of arrival; one consumer at a time, what nobody has read yet waits.
  public let starts: AsyncStream<RecordedStart>
  private let socket: RecorderSocket

  /// The path as it is written in an `Exec` line: quoted where the specification asks for it.
  public var execWord: String {
    path.contains { " \"'\\<>~|&;$*?#()`\t".contains($0) } ? "\"\(path)\"" : path
  }

  /// Installs a program called `name` (it may hold spaces) in the desktop's `bin`.
  public init(
    _ name: String, in desktop: ThrowAwayDesktop, _ behaviour: Behaviour = .exits()
  ) throws(TestSupportError) {
    let (starts, continuation) = AsyncStream<RecordedStart>.makeStream()
    self.starts = starts
    // In /tmp by a short name: a socket's path may have 107 bytes.
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

  /// The next start, or an error when none came in time.
  public func nextStart(within time: Duration = Command.defaultDeadline) async throws(TestSupportError)
    -> RecordedStart
  {
    let starts = starts
    let start = try await withDeadline(time, "a start of \(path)") { await starts.first { _ in true } }
    guard let start else { throw TestSupportError("\(path) is no longer listened to") }
    return start
  }

  // Python because JSON, byte-exact arguments and a socket are one line each there, and it is installed anyway.
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
