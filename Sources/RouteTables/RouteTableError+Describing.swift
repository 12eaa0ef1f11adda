// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

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
    case .missingScheme: "the scheme is missing: begin with `scheme:`, or with `/` for any scheme and host"
    case .invalidPercentEncoding: "`%` needs two hexadecimal digits: write `%25` for a percent sign"
    case .invalidUTF8: "the percent-encoded bytes are not UTF-8: encode the text as UTF-8 first"
    case .forbiddenCharacter(let name): "\(name) is not allowed in a URL: percent-encode or remove it"
    case .invalidURL: "invalid URL: begin with `scheme:`, and percent-encode non-ASCII characters"
    case .invalidHost: "invalid host: write labels separated by dots, or an address in `[…]`"
    case .missingHost("file"): "a `file:` URL needs an absolute path: write `file:///` and the path"
    case .missingHost(let scheme):
      "a `\(scheme):` URL needs a host after two slashes: write `\(scheme)://` and the host"
    case .unmappedHost:
      "the host has non-ASCII characters, which browsers map to another name: write the host in ASCII, such as `xn--…`"
    case .uncertainHost(let reason): reason
    case .unusualAddress:
      "the host is an address that programs parse differently: write `127.0.0.1` or `[2001:db8::1]` without "
        + "leading zeros and with the first longest run of zeros as `::`"
    case .invalidPort: "the port is not a number from 0 to 65535"
    case .tooLong(let bytes): "\(bytes) bytes exceed the limit of \(RouteLimits.bytes)"
    case .tooMany(let things, let limit): "too many \(things): the limit is \(limit)"
    case .tooManyVariants(let count, let parts):
      "there are \(count.asNumberOfVariants) variants (\(parts)): the limit is \(RouteLimits.variants)"
    default: patternMessage
    }
  }

  private var patternMessage: String {
    switch reason {
    case .unclosedCapture: "`{` is not closed: add `}`, or write `{{` for a brace"
    case .strayBrace: "unmatched `}`: write `}}` for a brace"
    case .invalidName: "a capture's name is a letter or `_` followed by letters, digits, `_` and `-`"
    case .reservedName: "names that begin with `@` are reserved for the broker: choose another name"
    case .duplicateName(let name): "`{\(name)}` occurs twice: give each capture its own name"
    case .invalidDefault(let value, let type): "the default `\(value)` is not of the type `\(type)`"
    case .misplacedCapture(let place): "a capture is not allowed in \(place)"
    case .emptyQueryItem:
      "a query item needs a key: write `key=value`, `key={name}` or `key`; an optional segment is `{name?}`"
    case .duplicateQueryKey(let key): "`\(key)` occurs twice in the query: a pattern may name each key once"
    case .dotSegmentOverCapture: "`..` removes a capture: write the resulting path"
    case .encodedSlashInFilePath:
      "`%2F` in the path of a local `file:` URL is a slash between two segments: write `/`, and a pattern of its own for other schemes"
    case .invalidCapture(let sentence): sentence
    case .notationOfOthers(let found, let here): "`\(found)` is syntax of other routers: write `\(here)`"
    case .choiceOfOne: "a choice needs at least two texts: write `{:a|b}`, or the single text without braces"
    default: typeMessage
    }
  }

  private var typeMessage: String {
    switch reason {
    case .unknownType(let name, let known):
      "unknown type `\(name)`: write one of \(known.map { "`\($0)`" }.joined(separator: ", "))"
    case .invalidExpression(let message): "\(RegularLanguageError(.invalidExpression(message)))"
    case .expressionTooLarge: "\(RegularLanguageError(.tooLarge))"
    case .emptyType: "the type matches no text: change its expression or its length"
    case .invalidLength:
      "a length is `(n)`, `(m,n)` or `(m,)`, in Unicode scalars: write for example `string(1,40)`"
    case .emptyValue: "a choice has an empty value: make the capture optional, or remove `|`"
    case .duplicateValue(let value): "`\(value)` occurs twice in the choice: remove one"
    default: tableMessage
    }
  }

  private var tableMessage: String {
    switch reason {
    case .conflicts(let conflicts): conflicts.map(\.description).joined(separator: "\n")
    case .duplicateRoute(let id, let first):
      "the route `\(id)` already exists at \(first): choose another name"
    case .unknownRoute(let id): "`wins_over` names the unknown route `\(id)`: write an existing ID"
    case .circularPrecedence(let steps, _): PrecedenceStep.sentence(steps)
    case .tooManyComparisons:
      "the `wins_over` of this layer require more comparisons of routes than the limit: remove those of routes that are narrower "
        + "anyway, or write literal schemes, hosts or first segments, by which routes differ"
    case .unreachable(let id, let winner):
      "if `\(winner)` wins over `\(id)`, no URL is left for `\(id)`: remove `wins_over`"
    case .noPattern(let id): "the route `\(id)` has no pattern: add one"
    case .noRoute(let id):
      "the ID `\(id)` does not name exactly one route: check the spelling, or write OWNER/ID"
    case .mismatch(let mismatch): mismatch.sentence
    default: ""
    }
  }
}

extension Int {
  /// The number as a message states it: numbers beyond a million are not exact.
  var asNumberOfVariants: String { self > 1_000_000 ? "more than 1000000" : "\(self)" }
}
