import Foundation

/// What to start: a program found in the child's own `PATH`, with exactly the environment given.
struct ProgramLaunch: Sendable {
  /// Where a program's standard input comes from.
  enum Input: Sendable {
    /// The bytes, then the end.
    ///
    /// No bytes are the end at once.
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
  /// Kill the program when the test process ends, however it ends.
  var diesWithTests = false

  /// The absolute path of the program, looked up as the child itself would.
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

  /// The argument vector that is executed, its first element the path.
  func argumentVector() throws(TestSupportError) -> [String] {
    let vector = [try resolvedProgram()] + arguments
    // util-linux sets the parent-death signal and becomes the program: no process in between.
    return diesWithTests ? ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--"] + vector : vector
  }
}
