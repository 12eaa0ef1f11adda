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
    case noTemporaryFile(directory: String, reason: String)
    case notExecuted(String)
    case timeout
    case tooLong
    case drewNothing(ExitStatus)

    var description: String {
      switch self {
      case .notInstalled:
        "cannot draw SVG, because Graphviz is not installed; install the package graphviz, or use --format mermaid or dot"
      case .noTemporaryFile(let directory, let reason):
        "cannot draw SVG, because no temporary file can be written in \(directory): \(reason); set TMPDIR to another directory, or use --format dot"
      case .notExecuted(let path):
        "cannot draw SVG, because \(path) cannot be executed; install the package graphviz again, or use --format dot"
      case .timeout:
        "Graphviz did not finish within a minute; use --format dot or a smaller --depth"
      case .tooLong:
        "the SVG exceeds 4 MiB or cannot be read; use a smaller --depth, or use --format dot and run dot -Tsvg on the output"
      case .drewNothing(let status):
        "Graphviz drew nothing (\(status)); to see why, use --format dot and run dot -Tsvg on the output"
      }
    }
  }

  /// Returns the SVG image of a graph in the DOT language.
  static func svg(of graph: String) throws(Failure) -> String {
    let environment = LaunchEnvironment.current()
    guard let path = ProgramSearch(path: environment["PATH"]).find("dot") else { throw .notInstalled }
    var program = ProcessConfiguration(
      executable: path, arguments: ["dot", "-Tsvg"], environment: environment)
    let input = try temporaryFile(graph)
    defer { close(input) }
    program.input = input
    switch ProgramOutput(program)?.ending(by: .now + .seconds(60)) {
    case .ended(let status, let picture):
      guard picture.contains("</svg>") else { throw .drewNothing(status) }
      return picture.hasSuffix("\n") ? String(picture.dropLast()) : picture
    case .timeout: throw .timeout
    case .unreadable: throw .tooLong
    case nil: throw .notExecuted(path)
    }
  }

  /// Returns an open, unlinked file that contains `text`, positioned at its start.
  private static func temporaryFile(_ text: String) throws(Failure) -> Int32 {
    let directory = UserEnvironment.temporaryDirectory
    func failed(_ number: Int32) -> Failure {
      .noTemporaryFile(directory: directory, reason: String(cString: strerror(number)))
    }
    var name = Array("\(directory)/usher-graph-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    guard file >= 0 else { throw failed(errno) }
    unlink(name)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    if let number = text.utf8.writeAll(to: file) ?? (lseek(file, 0, SEEK_SET) == 0 ? nil : errno) {
      close(file)
      throw failed(number)
    }
    return file
  }
}
