import BusInterfaces
import TestSupport

/// A pipe with a name, into which the programs of a test write what they get, a line of JSON each.
///
/// However deep a program is started, by whom and in which namespaces, its lines come out here.
struct Tap: Sendable {
  let path: String
  private let reader: RunningProgram

  init(_ name: String, in desktop: ThrowAwayDesktop) async throws {
    path = "\(desktop.root)/\(name).lines"
    // Open at both ends, so that neither an early nor a last writer ends it.
    reader = try await RunningProgram.start(
      "sh", ["-c", #"mkfifo "$0" && exec <>"$0" && echo open && exec cat"#, path])
    _ = try await reader.line { $0 == "open" }
  }

  /// The next line.
  func next() async throws -> PropertyList {
    try PropertyList(json: try await reader.line { $0.hasPrefix("{") })
  }

  /// The next line as it is.
  func nextText() async throws -> String { try await reader.line { $0.hasPrefix("{") } }
}
