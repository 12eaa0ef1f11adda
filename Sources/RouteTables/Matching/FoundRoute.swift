// SPDX-License-Identifier: Apache-2.0
/// The index of the route that matches a URL, and the byte ranges of its first captures.
///
/// It holds only numbers and no reference to the URL or the table, so that it costs less than a `RouteMatch`.
/// ``text(ofCapture:)`` reads captures without allocation, and ``RouteTable/match(_:at:)`` converts it to a `RouteMatch`.
@frozen
public struct FoundRoute: BitwiseCopyable, Sendable {
  /// The number of captures with a recorded range; the URL is searched for the others on request.
  @inlinable static var reported: Int { 8 }
  static let absent = UInt64.max
  @inlinable static var elsewhere: UInt64 { .max - 1 }

  @usableFromInline package var shape = UInt32.max
  @usableFromInline var route = UInt32.max
  /// The number of captures of the pattern that matches; 0 if the ranges do not refer to the bytes of the caller.
  @usableFromInline var captureCount: UInt8 = 0
  /// The bits of the ``CapturedText`` of each capture.
  @usableFromInline var captures: Captures = (0, 0, 0, 0, 0, 0, 0, 0)

  @usableFromInline typealias Captures = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  @inlinable
  package init() {}

  /// The index of the winning route among the routes of the table.
  @inlinable public var routeIndex: Int { Int(truncatingIfNeeded: route) }

  /// Returns the text of a capture, by its number in the pattern that matches.
  ///
  /// The result is `nil` if the capture is absent, and if its text is not one range of the URL, or is not recorded: a part of a segment,
  /// a list, one of two catch-alls, the ninth capture and those after it, and all captures of a `file:` URL or one with a `\`.
  /// ``RouteTable/match(_:at:)`` reads these.
  @inlinable
  public func text(ofCapture number: Int) -> CapturedText? {
    guard number >= 0, number < min(Int(captureCount), Self.reported) else { return nil }
    let bits = withUnsafeBytes(of: captures) { $0.load(fromByteOffset: number &* 8, as: UInt64.self) }
    return bits < Self.elsewhere ? CapturedText(bits: bits) : nil
  }
}
