public import Foundation

/// A contender in a process of its own, so that it runs as its own language would have it: see `PeerLoop`.
public final class PeerProcess: Contender {
  /// What can go wrong with it.
  public struct Failure: Error, CustomStringConvertible {
    /// What went wrong.
    public let description: String
  }

  /// What the report calls it.
  public let name: String
  /// How many URLs one pass looks up.
  public private(set) var lookups = 0
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())

  /// Starts `program`.
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

  /// Nanoseconds that `passes` take, after one that is not counted.
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
