extension RouteTableError: CustomStringConvertible {
  /// The complete error message: location, cause and fix.
  public var description: String {
    let place =
      if let location {
        "\(location): "
      } else if let offset {
        "\(pattern == nil ? "URL" : "pattern"), byte \(offset + 1): "
      } else {
        ""
      }
    return place + message
  }

  /// The error message without its location; it ends with the pattern that caused the error, if there is one.
  public var message: String {
    pattern.map { "\(sentence) (in `\($0.prefix(200))`)" } ?? sentence
  }

  private var sentence: String {
    switch reason {
    case .missingScheme: "there is no scheme: begin with `scheme:`, or with `/` for any scheme and host"
    case .invalidPercentEncoding: "`%` needs two hexadecimal digits: write `%25` for a percent sign"
    case .invalidUTF8: "the percent-encoded bytes are not UTF-8: encode the text as UTF-8 first"
    case .forbiddenCharacter(let name): "\(name) is not part of a URL: percent-encode it, or take it out"
    case .invalidURL: "the text is no URL: write `scheme:`, and percent-encode what is not ASCII"
    case .invalidHost: "the host cannot be one: write labels with dots between them, or an address in `[…]`"
    case .missingHost("file"): "a `file:` URL names an absolute path: write `file:///` and the path"
    case .missingHost(let scheme):
      "a `\(scheme):` URL names a host after two slashes: write `\(scheme)://` and the host"
    case .unmappedHost:
      "the host has characters beyond ASCII, which browsers map to another name: write the host in ASCII, as `xn--…`"
    case .unusualAddress:
      "the host is an address in a way that others read differently: write `127.0.0.1` or `[2001:db8::1]`, without "
        + "zeros in front, the first longest run of them as `::`"
    case .invalidPort: "the port is not a number from 0 to 65535"
    case .tooLong(let bytes): "\(bytes) bytes are too many: the limit is \(RouteLimits.bytes)"
    case .tooMany(let things, let limit): "there are too many \(things): the limit is \(limit)"
    case .tooManyVariants(let count, let parts):
      "there are \(count.asNumberOfVariants) variants (\(parts)): the limit is \(RouteLimits.shapes)"
    default: patternMessage
    }
  }

  private var patternMessage: String {
    switch reason {
    case .unclosedCapture: "`{` is not closed: add `}`, or write `{{` for a brace"
    case .strayBrace: "`}` closes nothing: write `}}` for a brace"
    case .invalidName: "a capture's name is a letter or `_`, then letters, digits, `_` and `-`"
    case .reservedName: "names that begin with `@` are filled in by the broker: choose another"
    case .duplicateName(let name): "`{\(name)}` stands here twice: give each capture its own name"
    case .invalidDefault(let value, let type): "the default `\(value)` is not of the type `\(type)`"
    case .misplacedCapture(let place): "a capture cannot stand in \(place)"
    case .emptyQueryItem:
      "a query item needs a key: write `key=value`, `key={name}` or `key`; an optional segment is `{name?}`"
    case .duplicateQueryKey(let key): "`\(key)` stands twice in the query: a pattern names each key once"
    case .dotSegmentOverCapture: "`..` takes a capture away: write the path it leads to"
    case .invalidCapture(let sentence): sentence
    case .notationOfOthers(let found, let here): "`\(found)` is how others write it: here it is `\(here)`"
    case .choiceOfOne: "a choice has two texts or more: write `{:a|b}`, or the one without braces"
    default: typeMessage
    }
  }

  private var typeMessage: String {
    switch reason {
    case .unknownType(let name, let known):
      "there is no type `\(name)`: there are \(known.map { "`\($0)`" }.joined(separator: ", "))"
    case .invalidExpression(let message): "this is no regular expression: \(message)"
    case .expressionTooLarge:
      "this type needs more than \(RegularLanguage.maximumStates) states: make its counts smaller"
    case .emptyType: "no text is of this type: change its expression or its length"
    case .invalidLength: "a length is `(n)`, `(m,n)` or `(m,)`, in characters"
    case .emptyValue: "a choice has an empty value: make the capture optional, or take `|` out"
    case .duplicateValue(let value): "`\(value)` stands twice in the choice: take one out"
    default: tableMessage
    }
  }

  private var tableMessage: String {
    switch reason {
    case .conflicts(let conflicts): conflicts.map(\.description).joined(separator: "\n")
    case .duplicateRoute(let id, let first):
      "there is a route `\(id)` already, at \(first): choose another name"
    case .unknownRoute(let id): "`wins_over` names `\(id)`, and there is no such route: write its ID"
    case .circularPrecedence(let steps): PrecedenceStep.sentence(steps)
    case .unreachable(let id, let winner):
      "if `\(winner)` wins over `\(id)`, nothing is left for `\(id)`: take `wins_over` out"
    case .noPattern(let id): "the route `\(id)` has no pattern: give it one"
    case .noRoute(let id): "there is no route `\(id)`, or there are several: name it as owner/id"
    case .mismatch(let mismatch): mismatch.sentence
    default: ""
    }
  }
}

extension Int {
  /// The number as a message states it: numbers beyond a million are not exact.
  var asNumberOfVariants: String { self > 1_000_000 ? "more than 1000000" : "\(self)" }
}
