// SPDX-License-Identifier: Apache-2.0
package import RegularLanguages

/// An error in a pattern, a table or a URL.
///
/// `description` is the complete message: location, cause and fix. Of a URL it contains at most the few bytes that caused
/// the error, because a URL may contain secrets.
public struct RouteTableError: Error, Hashable, Sendable {
  /// The cause of the error.
  public enum Reason: Hashable, Sendable {
    /// The text begins neither with `scheme:` nor with `/`.
    case missingScheme
    /// `%` is not followed by two hexadecimal digits.
    case invalidPercentEncoding
    /// The decoded bytes are not UTF-8.
    case invalidUTF8
    /// The text contains a control character, a space, `\` or `%00`, which no URL may contain; the character's description.
    case forbiddenCharacter(String)
    /// The text is not a URL, for a reason without its own case.
    case invalidURL
    /// The host is invalid.
    case invalidHost
    /// A URL of this scheme has no host although the scheme requires one; for `file`, it has no absolute path.
    case missingHost(scheme: String)
    /// The host contains non-ASCII characters, which browsers map to another name.
    case unmappedHost
    /// Programs may read the host as one for which a route decides; the reason.
    case uncertainHost(String)
    /// The host is an IP address that is not written in its canonical form.
    case unusualAddress
    /// The port is not a number from 0 to 65535.
    case invalidPort
    /// The text is longer than `RouteLimits.bytes`; its length in bytes.
    case tooLong(bytes: Int)
    /// A limit of ``RouteLimits`` is exceeded; the name of the counted items and the limit.
    case tooMany(String, limit: Int)

    /// More variants than `RouteLimits.variants`: how many, and the numbers that multiply, or add up, to that.
    case tooManyVariants(Int, of: String)

    /// A `{` has no matching `}`.
    case unclosedCapture
    /// A `}` has no matching `{`.
    case strayBrace
    /// A capture has no name, or its name contains characters other than letters, digits, `_` and `-`.
    case invalidName
    /// A capture's name begins with `@`, which is reserved for values that the broker inserts.
    case reservedName
    /// Two captures of a pattern have this name.
    case duplicateName(String)
    /// No type has this name; the names of the known types.
    case unknownType(String, known: [String])
    /// A regular expression is invalid or uses an unsupported feature; the description of the error.
    case invalidExpression(String)
    /// The automaton of a type needs more than `RegularLanguage.maximumStates` states.
    case expressionTooLarge
    /// The type accepts no text.
    case emptyType
    /// The length of a type is invalid.
    case invalidLength
    /// The pattern uses the syntax of another router; that syntax, and the equivalent syntax of this one.
    case notationOfOthers(String, here: String)
    /// A choice such as `{:a}` has only one alternative.
    case choiceOfOne
    /// A choice contains an empty value.
    case emptyValue
    /// A choice contains this value twice.
    case duplicateValue(String)
    /// The type of a capture does not accept its default; the default and the type.
    case invalidDefault(String, type: RouteType)
    /// A capture is not allowed at this position; the description of the position.
    case misplacedCapture(String)
    /// A query item has no key, or there is no item between two `&`.
    case emptyQueryItem
    /// Two query items of a pattern have this key.
    case duplicateQueryKey(String)
    /// A `..` would remove a capture.
    case dotSegmentOverCapture
    /// The path of a pattern for local files contains `%2F`, which separates segments in the URLs that the pattern is compared with.
    case encodedSlashInFilePath
    /// A capture or a choice is not valid in its context; the sentence that explains why.
    case invalidCapture(String)

    /// Routes of one owner match common URLs, and neither can win.
    case conflicts([RouteConflict])
    /// `wins_over` names a route that does not exist.
    case unknownRoute(String)
    /// The `wins_over` rules, alone or together with inclusions of patterns, form a cycle; the steps of the cycle, and those of
    /// the rules that have no effect if such rules are skipped.
    case circularPrecedence([PrecedenceStep], ignored: [PrecedenceStep])
    /// The `wins_over` of a layer need more comparisons of routes than the limit; the first of those that have no effect if such
    /// rules are skipped, and their number.
    case tooManyComparisons([PrecedenceStep], count: Int)
    /// If the route `by` won over this route, this route would match no request.
    case unreachable(String, by: String)
    /// The owner already has a route with this ID; the location of the first one.
    case duplicateRoute(String, first: SourceLocation)
    /// The route with this ID has no pattern.
    case noPattern(String)
    /// The table has no route with this ID, or several owners have one.
    case noRoute(String)
    /// The captures of a pattern do not fit the Swift types of its arguments.
    case mismatch(TypeMismatch)
  }

  /// The cause of the error.
  public let reason: Reason
  /// The offset of the error in the text, in UTF-8 bytes; `nil` if the error concerns the whole text.
  public let offset: Int?
  /// The pattern, or the origin of a condition, with the error; `nil` for an error in a URL or a table.
  public let pattern: String?
  /// The location of the error in a file, including `offset`; `nil` if the text is not from a file.
  public let location: SourceLocation?

  package init(
    _ reason: Reason, at offset: Int? = nil, pattern: String? = nil, location: SourceLocation? = nil
  ) {
    self.reason = reason
    self.offset = offset
    self.pattern = pattern
    self.location = location
  }

  /// Creates the error of a type's expression; `start` is the offset of the expression in its pattern.
  package init(_ error: RegularLanguageError, at start: Int? = nil) {
    let reason: Reason =
      switch error.reason {
      case .invalidExpression(let message): .invalidExpression(message)
      case .tooLarge: .expressionTooLarge
      }
    self.init(reason, at: start.map { $0 + (error.offset ?? 0) } ?? error.offset)
  }

  /// Returns the error with `pattern` as its pattern and a location in a file.
  ///
  /// `start` is the location of the first character of `pattern`.
  package func placed(in pattern: String, at start: SourceLocation?) -> RouteTableError {
    let bytes = pattern.utf8.prefix(offset ?? 0)
    let scalars = bytes.count { $0 & 0xC0 != 0x80 }
    return RouteTableError(
      reason, at: offset, pattern: pattern, location: start.map { $0.advanced(by: scalars) })
  }
}
