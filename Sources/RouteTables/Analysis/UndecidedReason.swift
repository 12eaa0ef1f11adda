/// Why it could not be told whether there is a request that some patterns match and others do not.
public enum UndecidedReason: Hashable, Sendable {
  /// There are more ways to choose the components of a URL than are tried.
  case manyWays
  /// Types, of one place or together, need more than ``RegularLanguage/maximumStates`` states.
  case largeTypes
  /// More other patterns than are looked at win parts of it.
  case manyWinners
  /// Another pattern wins a URL that it does not match, as far as can be told.
  case strangeWinner
  /// A URL that shows it would be longer than ``RouteLimits`` allow.
  case longURL
  /// What is a host to one is a segment to the other: `authority = "segment"`.
  case hostOrSegment
  /// A host that could be read in another way than its labels say.
  case strangeHost
  /// A key of the query has a `+` or a space, and `+` is a space to one and itself to the other.
  case plusInKey
  /// Building the table, which orders routes by the first difference and looks at some of them as a whole, did not find it out.
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
