/// Why a pattern, a table or a URL was refused.
///
/// `description` is the whole sentence a person reads: where, what, and what to do about it. It never holds more
/// of a URL than the few bytes it is about, for a URL may carry secrets.
public struct RouteTableError: Error, Hashable, Sendable {
  /// What was wrong.
  public enum Reason: Hashable, Sendable {
    /// The text begins neither with `scheme:` nor with `/`.
    case missingScheme
    /// `%` is not followed by two hexadecimal digits.
    case invalidPercentEncoding
    /// The decoded bytes are not UTF-8.
    case invalidUTF8
    /// A control, a space, `\` or `%00`: never part of a URL.
    case forbiddenCharacter(String)
    /// The text is no URL for a reason that has no name of its own.
    case invalidURL
    /// The host cannot be one.
    case invalidHost
    /// A URL of a scheme whose links name a host, or an absolute path for `file`, has none; the scheme.
    case missingHost(scheme: String)
    /// The host has characters beyond ASCII, which browsers map to other names.
    case unmappedHost
    /// The host is an address that is not written in the usual way.
    case unusualAddress
    /// The port is not a number up to 65535.
    case invalidPort
    /// More bytes than `RouteLimits.bytes`.
    case tooLong(bytes: Int)
    /// More of something than ``RouteLimits`` allows: what there is too much of, and how much there may be.
    case tooMany(String, limit: Int)

    /// `{` is not closed.
    case unclosedCapture
    /// `}` closes nothing.
    case strayBrace
    /// A capture has no name, or one that is not letters, digits, `_` and `-`.
    case invalidName
    /// `{@…}` is what the broker fills in by itself.
    case reservedName
    /// Two captures of a pattern have one name.
    case duplicateName(String)
    /// No type has this name; the names of those there are.
    case unknownType(String, known: [String])
    /// A regular expression that is none, or has what the language has not; what it is.
    case invalidExpression(String)
    /// An automaton of more than `RegularLanguage.maximumStates` states.
    case expressionTooLarge
    /// No text is of the type.
    case emptyType
    /// A length that is none.
    case invalidLength
    /// The notation of another router, and how the same is written here.
    case notationOfOthers(String, here: String)
    /// `{:a}` gives nothing to choose from.
    case choiceOfOne
    /// A choice of values has an empty one.
    case emptyValue
    /// A choice has a value twice.
    case duplicateValue(String)
    /// The default is not a text of the capture's type; both.
    case invalidDefault(String, type: RouteType)
    /// A capture stands where none may; in words, where that is.
    case misplacedCapture(String)
    /// A query item without a key, or nothing between two `&`.
    case emptyQueryItem
    /// Two query items of a pattern have one key.
    case duplicateQueryKey(String)
    /// `..` would take a capture away.
    case dotSegmentOverCapture
    /// A capture, or a choice, that cannot be what it is where it stands; the sentence that says why.
    case invalidCapture(String)

    /// Routes claim the same URLs, so none could win.
    case conflicts([RouteConflict])
    /// `wins_over` names a route that is not there.
    case unknownRoute(String)
    /// `wins_over` goes round in a circle, alone or with what is narrower; the steps of it.
    case circularPrecedence([PrecedenceStep])
    /// `wins_over` would leave nothing for the first of these routes; `by` is the one that says it.
    case unreachable(String, by: String)
    /// Two routes of one owner have this ID; where the first one stands.
    case duplicateRoute(String, first: SourceLocation)
    /// The route of this ID has no pattern.
    case noPattern(String)
    /// The table has no route of this ID, or several owners have one.
    case noRoute(String)
    /// The captures of a pattern are not what its arguments are made of.
    case mismatch(TypeMismatch)
  }

  /// What was wrong.
  public let reason: Reason
  /// Where in the text, in UTF-8 bytes from its start; `nil` if the text as a whole is meant.
  public let offset: Int?
  /// The pattern it is about; `nil` for a URL and for a table.
  public let pattern: String?
  /// The place in a file, if the text stands in one: already moved on to `offset`.
  public let location: SourceLocation?

  init(_ reason: Reason, at offset: Int? = nil, pattern: String? = nil, location: SourceLocation? = nil) {
    self.reason = reason
    self.offset = offset
    self.pattern = pattern
    self.location = location
  }

  /// The error as one of `pattern`, whose first character stands at `start`.
  func placed(in pattern: String, at start: SourceLocation?) -> RouteTableError {
    let bytes = pattern.utf8.prefix(offset ?? 0)
    let scalars = bytes.count { $0 & 0xC0 != 0x80 }
    return RouteTableError(
      reason, at: offset, pattern: pattern, location: start.map { $0.advanced(by: scalars) })
  }
}
