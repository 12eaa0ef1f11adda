/// The reason why the analysis could not decide whether some patterns match a request that others do not.
public enum UndecidedReason: Hashable, Sendable {
  /// The combinations of URL components exceed the budget.
  case manyWays
  /// The automaton of a type, or of types together, exceeds ``RegularLanguage/maximumStates`` states.
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
    case .manyWays: "there are more ways to choose the parts of a URL than are tried"
    case .largeTypes: "their types are too large to be compared"
    case .manyWinners: "too many others win parts of it"
    case .strangeWinner: "another route wins a URL that it does not seem to match"
    case .longURL: "a URL that shows it would be longer than one may be"
    case .hostOrSegment: "what is a host to one is a segment to the other (`authority = \"segment\"`)"
    case .strangeHost: "their hosts have URLs that could be read in another way"
    case .plusInKey: "a key of the query has a `+` or a space, and they read `+` in two ways"
    case .unordered: "a table compares only some of its routes as a whole, and not these two"
    }
  }
}
