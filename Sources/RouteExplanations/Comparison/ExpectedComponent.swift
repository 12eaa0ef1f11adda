// SPDX-License-Identifier: Apache-2.0
public import RouteTables
import RegularLanguages

/// The text or form that a route expects in a component that does not match.
public enum ExpectedComponent: Hashable, Sendable {
  /// Exactly this text.
  case literal(String)
  /// One of these texts.
  case oneOf([String])
  /// Any text but these.
  case otherThan([String])
  /// A text of the capture's type.
  case capture(RouteCapture)
  /// A text that matches this part of a pattern, such as `v{n:uint}`.
  case part(String)
  /// Any text, but the component must be present.
  case present
  /// The component must be absent.
  case nothing
  /// This port; `nil` is the default port of the scheme, or no port.
  case port(UInt16?)
  /// `//` and a host.
  case host
  /// A path that begins with one `/`, without a host.
  case rootedPath
  /// A path that does not begin with `/`.
  case rootlessPath
  /// A value of a condition, as written in the route, or an example if the route does not list the values.
  case condition([String])
}

extension ExpectedComponent: CustomStringConvertible {
  /// The expectation as a phrase for use in a sentence.
  public var description: String {
    switch self {
    case .literal(""): "nothing"
    case .literal(let text): "`\(text)`"
    case .oneOf(let texts): "one of \(Self.list(texts))"
    case .otherThan(let texts): "any other than \(Self.list(texts))"
    case .capture(let capture): capture.sentence
    case .part(let text): "`\(text)`"
    case .present: "something"
    case .nothing: "nothing"
    case .port(nil): "no port, or the default port of the scheme"
    case .port(let port?): "\(port)"
    case .host: "`//` and a host"
    case .rootedPath: "a path that begins with one `/`"
    case .rootlessPath: "a path without `/` in front"
    case .condition(let texts): Self.list(texts, joiner: " or ")
    }
  }

  fileprivate static func list(_ texts: [String], joiner: String = ", ") -> String {
    texts.map { $0.isEmpty ? "nothing" : "`\($0)`" }.joined(separator: joiner)
  }
}

extension RouteCapture {
  /// The requirement of the capture as a clause, with its name and its type.
  fileprivate var sentence: String {
    let requirement =
      switch extent {
      case .single: "`\(name)` must be"
      case .rest: "each part of `\(name)` must be"
      case .list: "each value of `\(name)` must be"
      }
    return "\(requirement) \(type.sentence)"
  }
}

extension RouteType {
  /// A Boolean value that indicates whether the type has a name of its own, and is not a choice or an expression in the pattern.
  var isNamed: Bool {
    name.utf8.first.map { $0.isASCIILetter } == true && !name.utf8.contains(UInt8(ascii: "|"))
  }

  /// The type as a phrase: its name if it has one, and its meaning, its texts, or an example.
  fileprivate var sentence: String {
    if language == RouteType.string.language { return "any non-empty text" }
    let texts = language.texts(upTo: 8).map { "one of \(ExpectedComponent.list($0))" }
    guard isNamed || texts == nil else { return texts ?? "" }
    let kind =
      isNamed ? "\("aeio".utf8.contains(name.utf8.first ?? 0) ? "an" : "a") `\(name)`" : "a text of `\(name)`"
    if let words = Self.meanings[name], Self.builtIn(named: name)?.language == language {
      return "\(kind): \(words)"
    }
    if let texts { return "\(kind): \(texts)" }
    let example = language.withoutEmptyText.shortestText ?? ""
    return example.utf8.count > 40 ? kind : "\(kind), such as `\(example)`"
  }

  private static let meanings = [
    "int": "a 64-bit integer without `+` or leading zeros",
    "uint": "a 64-bit integer without sign or leading zeros",
    "bool": "`true` or `false`",
    "hex": "hexadecimal digits",
    "uuid": "32 hexadecimal digits, such as `123e4567-e89b-12d3-a456-426614174000`",
    "date": "a valid date, such as `2024-02-29`",
    "duration": "days, hours, minutes and seconds, such as `1h30m`",
    "slug": "lowercase letters and digits with single hyphens between them",
    "email": "an address, such as `ada@example.org`",
    "ipv4": "an IPv4 address, such as `192.0.2.1`",
    "ipv6": "an IPv6 address, such as `[2001:db8::1]`",
    "local-network": "this machine or a host in a private network, such as `localhost` or `10.0.0.1`",
  ]
}

extension RegularLanguage {
  /// Returns the texts of a language that has at most `most` texts; `nil` if it has more.
  func texts(upTo most: Int) -> [String]? {
    var found: [String] = []
    var stack: [(state: Int, text: String.UnicodeScalarView)] = [(1, String.UnicodeScalarView())]
    while let (state, text) = stack.popLast() {
      if automaton.isAccepting[state] { found.append(String(text)) }
      // A text as long as the number of states implies a cycle, so the language is infinite.
      guard found.count <= most, text.count < automaton.stateCount else { return nil }
      for (target, set) in automaton.ways(from: state).reversed() {
        for range in set.ranges {
          guard range.count <= most, stack.count <= most else { return nil }
          for value in range.reversed() {
            guard let scalar = Unicode.Scalar(value) else { continue }
            stack.append((target, text + [scalar]))
          }
        }
      }
    }
    return found.count <= most ? found.sorted() : nil
  }
}
