// SPDX-License-Identifier: Apache-2.0
/// The index of the route that matches a URL, and the byte ranges of its first captures.
///
/// It holds only numbers and no reference to the URL or the table, so that it costs less than a `RouteMatch`.
/// `RouteTable.match(_:at:)` converts it to one.
@frozen
public struct FoundRoute: BitwiseCopyable, Sendable {
  /// The number of captures with a recorded range; the URL is searched for the others on request.
  @usableFromInline static let reported = 8
  static let absent = UInt64.max
  static let elsewhere = UInt64.max - 1

  @usableFromInline package var shape = UInt32.max
  @usableFromInline var route = UInt32.max
  @usableFromInline var readsPlusAsSpace = true
  /// The range of each capture: the start in the low 32 bits, the end in the high 32 bits.
  @usableFromInline var captures: Captures = (0, 0, 0, 0, 0, 0, 0, 0)

  @usableFromInline typealias Captures = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  @inlinable
  package init() {}

  /// The index of the winning route among the routes of the table.
  @inlinable public var routeIndex: Int { Int(truncatingIfNeeded: route) }
}
