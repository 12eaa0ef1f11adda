// SPDX-License-Identifier: Apache-2.0
extension RouteValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral
{
  /// Creates a text value.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Creates an integer value, for captures of `int` or `uint`.
  public init(integerLiteral value: Int64) { self = .int(value) }

  /// Creates a Boolean value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Creates the texts of a catch-all or a list.
  public init(arrayLiteral elements: String...) { self = .strings(elements) }
}
