// SPDX-License-Identifier: Apache-2.0
/// A lookup of URLs that can be measured.
public protocol Contender: AnyObject {
  /// The name in the report.
  var name: String { get }
  /// The number of URLs in one pass.
  var lookups: Int { get }
  /// Returns the time of `passes` in nanoseconds, after one pass that is not counted.
  func nanoseconds(passes: Int) throws -> Int
}

/// A contender in this process.
public final class LocalContender: Contender {
  /// The name in the report.
  public let name: String
  /// The number of URLs in one pass.
  public let lookups: Int
  private let sweep: () -> Void

  /// Creates a contender whose closure `sweep` makes one pass.
  public init(_ name: String, lookups: Int, _ sweep: @escaping () -> Void) {
    self.name = name
    self.lookups = lookups
    self.sweep = sweep
  }

  /// Returns the time of `passes` in nanoseconds, after one pass that is not counted.
  public func nanoseconds(passes: Int) -> Int {
    sweep()
    return Stopwatch.nanoseconds { for _ in 0..<passes { sweep() } }
  }
}
