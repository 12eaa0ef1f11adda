// SPDX-License-Identifier: Apache-2.0
internal import RegularLanguages
public import RouteTables

/// A route in a line of the input: `2~org\..* /a/{x}` belongs to the third layer and requires a matching source.
public struct FuzzRoute: Sendable {
  /// The context of the request in every match.
  static let context = ["source": "org.a"]

  let pattern: RoutePattern
  var rank = PolicyLayer.user
  var conditions: [RouteCondition] = []

  /// Creates a route that consists only of a pattern.
  public init(_ pattern: RoutePattern) { self.pattern = pattern }

  /// Parses a line; `nil` if it contains no pattern.
  public init?(line: String, _ options: RouteOptions) {
    var text = line[...]
    if let digit = text.first?.wholeNumberValue, let rank = PolicyLayer(rawValue: digit) {
      self.rank = rank
      text = text.dropFirst()
      if text.first == "~" {
        let expression = text.dropFirst().prefix { $0 != " " }
        guard let language = try? RegularLanguage(String(expression)) else { return nil }
        conditions = [RouteCondition("source", language)]
        text = text.dropFirst(expression.count + 1)
      }
      text = text.drop { $0 == " " }
    }
    guard let pattern = PatternCheck.read(String(text), options) else { return nil }
    self.pattern = pattern
  }
}
