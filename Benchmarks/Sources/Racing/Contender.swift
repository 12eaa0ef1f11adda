/// Something that looks URLs up and is timed doing it.
public protocol Contender: AnyObject {
  /// What the report calls it.
  var name: String { get }
  /// How many URLs one pass looks up.
  var lookups: Int { get }
  /// Nanoseconds that `passes` take, after one that is not counted.
  func nanoseconds(passes: Int) throws -> Int
}

/// A contender in this process.
public final class LocalContender: Contender {
  /// What the report calls it.
  public let name: String
  /// How many URLs one pass looks up.
  public let lookups: Int
  private let sweep: () -> Void

  /// `sweep` makes one pass.
  public init(_ name: String, lookups: Int, _ sweep: @escaping () -> Void) {
    self.name = name
    self.lookups = lookups
    self.sweep = sweep
  }

  /// Nanoseconds that `passes` take, after one that is not counted.
  public func nanoseconds(passes: Int) -> Int {
    sweep()
    return Stopwatch.nanoseconds { for _ in 0..<passes { sweep() } }
  }
}
