// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// A test of a route: the URLs that it matches, or the decision on a URL for a caller.
public struct RouteFileTest: Sendable {
  /// The expected value of a capture.
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

  /// The claim of a test about its URL.
  enum Claim: Sendable {
    /// The route matches it in some request, with these captures.
    case mustMatch([Expectation])
    /// The route does not match it.
    case isNotTaken
    /// The table makes this decision for the caller; through the route of this name, if one is given.
    case isDecided(RouteOutcome, for: TestCaller, by: String?)
  }

  /// The ID of the route.
  public let route: String
  /// The owner of the route.
  public let owner: String
  /// The URL that is matched.
  public let url: String
  /// The location of the test.
  public let location: SourceLocation
  /// The claim of the test.
  let claim: Claim

  /// Indicates whether the route must match the URL.
  public var mustMatch: Bool { if case .mustMatch = claim { true } else { false } }

  /// Indicates whether the route must not match the URL.
  public var mustNotMatch: Bool { if case .isNotTaken = claim { true } else { false } }
}

extension RouteFileTest.Value {
  /// Returns whether the value and text of a capture are as expected.
  ///
  /// A string is compared with the text of a value of any type, because TOML has no integers beyond 63 bits, and so
  /// that a catch-all can be written as one string.
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

  /// The value in the syntax of the file.
  var text: String {
    switch self {
    case .string(let text): "\"\(text)\""
    case .integer(let integer): String(integer)
    case .boolean(let boolean): String(boolean)
    case .strings(let texts): "[" + texts.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }
  }
}
