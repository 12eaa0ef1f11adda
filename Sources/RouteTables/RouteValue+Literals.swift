extension RouteValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral
{
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }

  /// An integer, for captures of either kind.
  public init(integerLiteral value: Int64) { self = .int(value) }

  /// A truth.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// The texts of a rest or a list.
  public init(arrayLiteral elements: String...) { self = .strings(elements) }
}
