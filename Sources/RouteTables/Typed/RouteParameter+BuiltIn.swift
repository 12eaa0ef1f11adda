// SPDX-License-Identifier: Apache-2.0
extension String: RouteParameter {
  /// The type of any text, `string`.
  public static var routeType: RouteType { .string }
}

extension Bool: RouteParameter {
  /// The type `bool`.
  public static var routeType: RouteType { .bool }
}

extension Int64: RouteParameter {
  /// The type `int`.
  public static var routeType: RouteType { .int }
}

extension Int: RouteParameter {
  /// The type `int`.
  public static var routeType: RouteType { .int }
}

extension UInt64: RouteParameter {
  /// The type `uint`.
  public static var routeType: RouteType { .uint }
}

extension UInt: RouteParameter {
  /// The type `uint`.
  public static var routeType: RouteType { .uint }
}

extension RouteParameter where Self: FixedWidthInteger & LosslessStringConvertible {
  /// Creates the integer that the canonical decimal text denotes, without `+` and leading zeros; otherwise `nil`.
  public init?(routeText: String) {
    guard let value = Self(routeText), value.description == routeText else { return nil }
    self = value
  }
}
