// SPDX-License-Identifier: Apache-2.0
import FileOutput
import Freedesktop
import Glibc
import Launching
import Systemd

/// The program `dot` of Graphviz, which lays out graphs.
enum Graphviz {
  /// The reason why a graph could not be laid out.
  enum Failure: Error, CustomStringConvertible {
    case notInstalled
    case failed

    var description: String {
      switch self {
      case .notInstalled:
        "cannot draw SVG, because Graphviz is not installed; install the package graphviz, or use --format mermaid or dot"
      case .failed:
        "Graphviz did not finish within a minute; use --format dot or a smaller --depth"
      }
    }
  }

  /// Returns the SVG image of a graph in the DOT language.
  static func svg(of graph: String) throws(Failure) -> String {
    let environment = LaunchEnvironment.current()
    guard let path = ProgramSearch(path: environment["PATH"]).find("dot") else { throw .notInstalled }
    var program = ProcessConfiguration(
      executable: path, arguments: ["dot", "-Tsvg"], environment: environment)
    guard let input = temporaryFile(graph) else { throw .failed }
    defer { close(input) }
    program.input = input
    guard let picture = ProgramOutput(program)?.read(by: .now + .seconds(60)), picture.contains("</svg>")
    else { throw .failed }
    return picture.hasSuffix("\n") ? String(picture.dropLast()) : picture
  }

  /// Returns an open, unlinked file that contains `text`, positioned at its start; `nil` on failure.
  private static func temporaryFile(_ text: String) -> Int32? {
    let directory = LaunchEnvironment.current()["TMPDIR"] ?? "/tmp"
    var name = Array("\(directory)/usher-graph-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    guard file >= 0 else { return nil }
    unlink(name)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    guard text.utf8.writeAll(to: file) == nil, lseek(file, 0, SEEK_SET) == 0 else {
      close(file)
      return nil
    }
    return file
  }
}
