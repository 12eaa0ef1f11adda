// SPDX-License-Identifier: Apache-2.0
/// The result of a program: its exit and its output.
public struct CommandResult: Hashable, Sendable, CustomStringConvertible {
  /// The way in which a program ended.
  public enum Ending: Hashable, Sendable {
    /// The program exited with this status.
    case exited(Int32)
    /// The program was terminated by this signal.
    case signalled(Int32)
    /// The program was still running at its deadline, and was killed with its process group.
    case pastDeadline
  }

  /// The way in which the program ended.
  public let ending: Ending
  /// The bytes of its standard output.
  public let outputBytes: [UInt8]
  /// The bytes of its standard error.
  public let errorBytes: [UInt8]
  /// The program and its arguments, for messages.
  public let arguments: [String]

  /// Standard output as text; bytes that are not UTF-8 become U+FFFD.
  public var output: String { String(decoding: outputBytes, as: UTF8.self) }
  /// Standard error as text; bytes that are not UTF-8 become U+FFFD.
  public var errorOutput: String { String(decoding: errorBytes, as: UTF8.self) }
  /// The lines of standard output, without their terminators.
  public var lines: [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }
  /// The exit status; `nil` if a signal or the deadline ended the program.
  public var status: Int32? {
    guard case .exited(let status) = ending else { return nil }
    return status
  }
  /// A Boolean value that is `true` if the program exited with status 0.
  public var succeeded: Bool { status == 0 }

  /// The command line, the exit and the output, for failed expectations.
  public var description: String {
    let said = [("stdout", output), ("stderr", errorOutput)].filter { !$0.1.isEmpty }
    return (["\(arguments.joined(separator: " ")): \(ending)"] + said.map { "\($0.0): \($0.1)" })
      .joined(separator: "\n")
  }

  /// Returns this result if the program exited with 0; otherwise throws an error that contains it.
  @discardableResult
  public func orThrow() throws(TestSupportError) -> CommandResult {
    guard succeeded else { throw TestSupportError(description) }
    return self
  }
}
