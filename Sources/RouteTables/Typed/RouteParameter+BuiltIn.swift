extension String: RouteParameter {
  /// Any text.
  public static var routeType: RouteType { .string }
}

extension Bool: RouteParameter {
  /// The texts of `bool`.
  public static var routeType: RouteType { .bool }
}

extension Int64: RouteParameter {
  /// The texts of `int`.
  public static var routeType: RouteType { .int }
}

extension Int: RouteParameter {
  /// The texts of `int`.
  public static var routeType: RouteType { .int }
}

extension UInt64: RouteParameter {
  /// The texts of `uint`.
  public static var routeType: RouteType { .uint }
}

extension UInt: RouteParameter {
  /// The texts of `uint`.
  public static var routeType: RouteType { .uint }
}

extension RouteParameter where Self: FixedWidthInteger & LosslessStringConvertible {
  /// The number that is written so in decimal digits, without `+` and without zeros in front.
  public init?(routeText: String) {
    guard let value = Self(routeText), value.description == routeText else { return nil }
    self = value
  }
}
