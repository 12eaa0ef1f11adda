public import RouteTables

/// A test that stands beside a route: what the route takes, or what becomes of a URL for some caller.
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

  /// What a test claims of its URL.
  enum Claim: Sendable {
    /// The route takes it, in some request, and captures this.
    case isTaken([Expectation])
    /// The route does not take it.
    case isNotTaken
    /// The table decides so for the caller; by the route of this name, where one is given.
    case isDecided(RouteOutcome, for: TestCaller, by: String?)
  }

  /// The ID of the route.
  public let route: String
  /// The owner of the route.
  public let owner: String
  /// The URL that is matched.
  public let url: String
  /// Where the test stands.
  public let location: SourceLocation
  /// What it claims.
  let claim: Claim

  /// Whether the route is to take the URL.
  public var isTaken: Bool { if case .isTaken = claim { true } else { false } }
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
