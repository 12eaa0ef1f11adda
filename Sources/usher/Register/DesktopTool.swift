import Freedesktop
import Glibc
import Launching
import Systemd

/// A real program of the desktop that is asked which application opens a scheme.
struct DesktopTool {
  /// The command that a person would type.
  let command: [String]
  private let read: @Sendable (String) -> String?

  /// What GIO's programs go by: file managers, GNOME, most browsers.
  static let gio = DesktopTool(command: ["gio", "mime"]) { output in
    // Default application for “x-scheme-handler/notes”: org.example.Notes.desktop
    let line = output.split(separator: "\n").first { $0.hasPrefix("Default application for") }
    guard let line, let colon = line.lastIndex(of: ":") else { return nil }
    return String(line[line.index(after: colon)...].drop { $0 == " " })
  }

  /// What `xdg-open` goes by on desktops that it does not know.
  static let xdgMime = DesktopTool(command: ["xdg-mime", "query", "default"]) { output in
    output.split(separator: "\n").first.map(String.init)
  }

  /// What a tool said.
  enum Answer: Equatable {
    /// It is not installed, or gave no answer in time: nothing is known.
    case none
    /// The desktop file that it names, `nil` for no application.
    case names(String?)
  }

  /// Asks for the default application of a scheme.
  func ask(_ scheme: URLScheme, _ programs: ProgramSearch, within time: Duration = .seconds(10)) -> Answer {
    guard let path = programs.find(command[0]) else { return .none }
    var environment = LaunchEnvironment.current()
    environment["LC_ALL"] = "C.UTF-8"
    let program = ProgramStart(
      executable: path, arguments: command + [scheme.mimeType], environment: environment)
    guard let output = Self.output(of: program, by: .now + time) else { return .none }
    return .names(read(output))
  }

  /// What `program` writes to its standard output until it closes it; `nil` when it cannot be told.
  private static func output(of program: ProgramStart, by deadline: ContinuousClock.Instant) -> String? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    var program = program
    program.output = ends[1]
    let child = try? SpawnedProgram(program)
    close(ends[1])
    defer { close(ends[0]) }
    guard let child else { return nil }
    guard let bytes = readAll(ends[0], by: deadline), child.exitStatus(by: deadline) != nil else {
      child.kill()
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func readAll(_ descriptor: Int32, by deadline: ContinuousClock.Instant) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = max(.zero, deadline - .now) / .milliseconds(1)
      let ready = poll(&polled, 1, Int32(left.rounded(.up)))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return nil }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }
}
