// SPDX-License-Identifier: Apache-2.0
/// The reason why the analysis could not decide whether some patterns match a request that others do not.
public enum UndecidedReason: Hashable, Sendable {
  /// The combinations of URL components exceed the budget.
  case manyWays
  /// The automaton of a type, or of types together, exceeds `RegularLanguage.maximumStates` states.
  case largeTypes
  /// The number of other patterns that win parts of it exceeds the limit.
  case manyWinners
  /// Another pattern wins a URL that it does not match according to the analysis.
  case strangeWinner
  /// The witness URL would exceed the ``RouteLimits``.
  case longURL
  /// One pattern reads the host as a host, the other as a segment: `authority = "segment"`.
  case hostOrSegment
  /// The parser could read a host differently from its labels.
  case strangeHost
  /// A query key has a `+` or a space, and the patterns read `+` differently.
  case plusInKey
  /// The builder compares only some routes by inclusion, and orders the others by their first difference.
  case unordered
}

extension UndecidedReason: CustomStringConvertible {
  /// The reason as the end of a sentence.
  public var description: String {
    switch self {
    case .manyWays: "there are too many combinations of URL components"
    case .largeTypes: "their types are too large to be compared"
    case .manyWinners: "too many other routes win for some of the URLs"
    case .strangeWinner: "no example URL was found for which the expected route wins"
    case .longURL: "the shortest example URL exceeds the length limit"
    case .hostOrSegment:
      "one pattern treats as a host what the other treats as a segment (`authority = \"segment\"`)"
    case .strangeHost: "programs parse URLs with these hosts differently"
    case .plusInKey: "a key of the query has a `+` or a space, and the patterns interpret `+` differently"
    case .unordered: "the table did not compare these two routes"
    }
  }
}
