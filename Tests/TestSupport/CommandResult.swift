/// What became of a program: how it ended and all that it wrote.
public struct CommandResult: Hashable, Sendable, CustomStringConvertible {
  /// How a program ended.
  public enum Ending: Hashable, Sendable {
    /// It left with this exit status.
    case exited(Int32)
    /// This signal ended it.
    case signalled(Int32)
    /// It was still running at its deadline, and was killed with its process group.
    case pastDeadline
  }

  /// How the program ended.
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
  /// The lines of standard output, without their ends.
  public var lines: [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }
  /// The exit status, or `nil` when a signal or the deadline ended the program.
  public var status: Int32? {
    guard case .exited(let status) = ending else { return nil }
    return status
  }
  /// Whether the program left with status 0.
  public var succeeded: Bool { status == 0 }

  /// The command line, the ending and what was written: what a failed expectation should show.
  public var description: String {
    let said = [("stdout", output), ("stderr", errorOutput)].filter { !$0.1.isEmpty }
    return (["\(arguments.joined(separator: " ")): \(ending)"] + said.map { "\($0.0): \($0.1)" })
      .joined(separator: "\n")
  }

  /// This result when the program left with 0, else an error that shows everything.
  @discardableResult
  public func orThrow() throws(TestSupportError) -> CommandResult {
    guard succeeded else { throw TestSupportError(description) }
    return self
  }
}
