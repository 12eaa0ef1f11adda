// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The parameters of a program start: a program found in the child's own `PATH`, with exactly the given environment.
struct ProgramLaunch: Sendable {
  /// The source of a program's standard input.
  enum Input: Sendable {
    /// The bytes, followed by the end of the file.
    ///
    /// An empty array is an immediate end of the file.
    case bytes([UInt8])
    /// A socket that the test writes to.
    case stream
  }

  var program: String
  var arguments: [String]
  var environment: [String: String]
  var directory: String?
  var input: Input = .bytes([])
  var deadline: Duration?
  /// Kills the program when the test process exits for any reason.
  var diesWithTests = false

  /// Returns the absolute path of the program, looked up as the child itself would.
  func resolvedProgram() throws(TestSupportError) -> String {
    let candidates =
      program.contains("/")
      ? [program]
      : (environment["PATH"] ?? Command.defaultPath).split(separator: ":").map { "\($0)/\(program)" }
    guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      throw TestSupportError(
        "\(program) is not an executable file; looked at \(candidates.joined(separator: ", "))")
    }
    return found
  }

  /// Returns the argument vector, whose first element is the path.
  func argumentVector() throws(TestSupportError) -> [String] {
    let vector = [try resolvedProgram()] + arguments
    // The setpriv of util-linux sets the parent-death signal and then executes the program, without a process in between.
    return diesWithTests ? ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--"] + vector : vector
  }
}
