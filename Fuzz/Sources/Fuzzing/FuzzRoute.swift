public import RouteTables

/// A route as a line of an input says it: `2~org\..* /a/{x}` is the third layer's, for a source that matches.
public struct FuzzRoute: Sendable {
  /// What the request says of itself in every match.
  static let context = ["source": "org.a"]

  let pattern: RoutePattern
  var rank = PolicyLayer.user
  var conditions: [RouteCondition] = []

  /// A route that is its pattern alone.
  public init(_ pattern: RoutePattern) { self.pattern = pattern }

  /// Reads a line; `nil` if there is no pattern in it.
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
