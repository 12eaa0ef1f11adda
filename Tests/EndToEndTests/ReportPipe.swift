// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport

/// A named pipe into which the programs of a test write their reports, one line of JSON each.
///
/// It works for programs at any depth of the process tree and in any namespace.
struct ReportPipe: Sendable {
  let path: String
  private let reader: RunningProgram

  init(_ name: String, in desktop: ThrowAwayDesktop) async throws {
    path = "\(desktop.root)/\(name).lines"
    // Open at both ends, so that neither an early nor a late writer closes it.
    reader = try await RunningProgram.start(
      "sh", ["-c", #"mkfifo "$0" && exec <>"$0" && echo open && exec cat"#, path])
    _ = try await reader.line { $0 == "open" }
  }

  /// Returns the next line, parsed.
  func next() async throws -> PropertyList {
    try PropertyList(json: try await reader.line { $0.hasPrefix("{") })
  }

  /// Returns the next line that begins with these words, and drops the lines before it.
  func line(_ words: String) async throws -> String { try await reader.line { $0.hasPrefix(words) } }

  /// Returns the next line as text.
  func nextText() async throws -> String { try await reader.line { $0.hasPrefix("{") } }
}
