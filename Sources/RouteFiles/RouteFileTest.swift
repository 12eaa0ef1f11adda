public import RouteTables

/// A test that stands beside a route: a URL that the route takes, or does not.
public struct RouteFileTest: Sendable {
  /// A capture's value as the test writes it.
  enum Value: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case boolean(Bool)
    case strings([String])
  }

  struct Expectation: Sendable {
    let name: String
    let value: Value
    let location: SourceLocation
  }

  /// The ID of the route.
  public let route: String
  /// The owner of the route.
  public let owner: String
  /// The URL that is matched.
  public let url: String
  /// Whether the route is to take the URL.
  public let isTaken: Bool
  /// Where the test stands.
  public let location: SourceLocation
  /// What captures are to hold.
  let expectations: [Expectation]
}

extension RouteFileTest.Value {
  /// Whether a capture of this value and text holds this.
  ///
  /// Text stands for a value of any type: TOML has no integer beyond 63 bits, and a rest is easily written in one.
  func matches(_ value: RouteValue, _ text: String) -> Bool {
    switch self {
    case .string(let expected): expected.utf8.elementsEqual(text.utf8)
    case .integer(let integer):
      value == .int(integer) || UInt64(exactly: integer).map { value == .uint($0) } == true
    case .boolean(let boolean): value == .bool(boolean)
    case .strings(let texts):
      if case .strings(let found) = value {
        texts.count == found.count && zip(texts, found).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
      } else {
        false
      }
    }
  }

  /// The value as the file writes it.
  var text: String {
    switch self {
    case .string(let text): "\"\(text)\""
    case .integer(let integer): String(integer)
    case .boolean(let boolean): String(boolean)
    case .strings(let texts): "[" + texts.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }
  }
}
