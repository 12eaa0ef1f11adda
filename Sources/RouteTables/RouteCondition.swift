/// What else must hold for a route than its pattern: something about the request, as a text.
///
/// The broker asks for what ``Name`` lists; an application may ask for anything. Who matches a URL says the request's texts, and all
/// conditions of a route must hold.
///
/// ```swift
/// let chat = try RouteCondition("source", RegularLanguage(#"org\.example\.Chat|org\.signal\..*"#))
/// try routes.add("tel:{number}", id: "call", action: "call", when: [chat])
/// let calls = try routes.build()
/// try calls.match("tel:+4412", when: ["source": "org.signal.Desktop"])?.route.id   // "call"
/// ```
public struct RouteCondition: Hashable, Sendable {
  /// What is asked about.
  public let name: String
  /// The texts for which the route holds; what the request does not say is the empty text.
  public let language: RegularLanguage
  /// The same as it was written, for who reads an explanation: `org.signal.*`; nothing where nobody wrote it.
  public let written: [String]

  /// Holds where the request's text for `name` is in `language`, which reads as `written`.
  public init(_ name: String, _ language: RegularLanguage, written: [String] = []) {
    self.name = name
    self.language = language
    self.written = written
  }
}

extension RouteCondition {
  /// One condition for each name, sorted by it: of several of one name all must hold.
  ///
  /// Throws where that is too large a language.
  static func united(_ conditions: [RouteCondition]) throws(RouteTableError) -> [RouteCondition] {
    var united: [RouteCondition] = []
    for condition in conditions.sorted(by: { $0.name < $1.name }) {
      guard let last = united.popLast() else {
        united.append(condition)
        continue
      }
      guard last.name == condition.name else {
        united += [last, condition]
        continue
      }
      united.append(
        RouteCondition(condition.name, try last.language.intersection(condition.language)))
    }
    return united
  }
}

/// Whose word counts first; in a table of several layers, those of a higher one win.
public enum PolicyLayer: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// The administrator's, where they say `final`.
  case finalAdministrator
  /// The user's.
  case user
  /// The administrator's.
  case administrator
  /// Those that came with programs.
  case vendor

  /// Whether the first comes before the second.
  public static func < (first: PolicyLayer, second: PolicyLayer) -> Bool { first.rawValue < second.rawValue }
}
