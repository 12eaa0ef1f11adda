// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A contender in a separate process, which can be written in another language; see `PeerLoop`.
public final class PeerProcess: Contender {
  /// A failure of the process.
  public struct Failure: Error, CustomStringConvertible {
    /// The description of the failure.
    public let description: String
  }

  /// The name in the report.
  public let name: String
  /// The number of URLs in one pass.
  public private(set) var lookups = 0
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())

  /// Creates a contender that starts `program`.
  public init(_ name: String, program: URL, arguments: [String]) throws {
    self.name = name
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    lookups = try number()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Returns the time of `passes` in nanoseconds, after one pass that is not counted.
  public func nanoseconds(passes: Int) throws -> Int {
    try input.fileHandleForWriting.write(contentsOf: Data("\(passes)\n".utf8))
    return try number()
  }

  private func number() throws -> Int {
    var text = ""
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    guard let number = Int(text) else { throw Failure(description: "\(name) does not answer: \(text)") }
    return number
  }
}
