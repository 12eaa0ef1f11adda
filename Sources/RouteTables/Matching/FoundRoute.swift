/// Which route claims a URL, and where in it the route's first captures stand: numbers alone.
///
/// Nothing of the URL or of the table is kept, so that it costs less than a `RouteMatch`, which can be made of it.
@frozen
public struct FoundRoute: BitwiseCopyable, Sendable {
  /// How many captures are told; the others are looked for when they are asked for.
  @usableFromInline static let reported = 8
  static let absent = UInt64.max
  static let elsewhere = UInt64.max - 1

  @usableFromInline var shape = UInt32.max
  @usableFromInline var route = UInt32.max
  @usableFromInline var readsPlusAsSpace = true
  /// Start and end of each.
  @usableFromInline var captures: Captures = (0, 0, 0, 0, 0, 0, 0, 0)

  @usableFromInline typealias Captures = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  @inlinable
  init() {}

  /// The index of the route that won, among those of the table.
  @inlinable public var routeIndex: Int { Int(truncatingIfNeeded: route) }
}
