// SPDX-License-Identifier: Apache-2.0
package import RegularLanguages

/// The applications that the condition `running` of a route names.
///
/// The condition has the name `RouteCondition.Name.running`, and holds if one of ``oneOf`` runs, or if that is empty, and none of
/// ``noneOf``. All routes test one value, the running applications, so that their conditions can be compared exactly.
public struct RunningApplications: Hashable, Sendable {
  /// The IDs of which at least one must run; if empty, none must.
  public var oneOf: [String]
  /// The IDs of which none may run.
  public var noneOf: [String]

  /// Creates a condition on applications with these IDs.
  public init(oneOf: [String] = [], noneOf: [String] = []) {
    self.oneOf = oneOf
    self.noneOf = noneOf
  }

  /// Creates the applications of a condition on running applications; `nil` if it is a condition on another property.
  public init?(_ condition: RouteCondition) {
    guard condition.name == RouteCondition.Name.running else { return nil }
    self.init(written: condition.written)
  }

  /// Creates the applications that the texts of a condition name.
  package init(written: [String]) {
    oneOf = written.filter { !$0.hasPrefix(Self.negation) }
    noneOf = written.filter { $0.hasPrefix(Self.negation) }.map { String($0.dropFirst(Self.negation.count)) }
  }

  /// Returns the value of the condition if applications with these IDs run: the IDs in their order, with spaces between them.
  public static func value(of ids: some Sequence<String>) -> String { ids.sorted().joined(separator: " ") }

  /// Returns the condition.
  ///
  /// - Parameter readings: Returns the IDs that a written ID may represent.
  /// - Throws: `tooLarge` if there are so many IDs that their automaton is too large.
  package func condition(
    readings: (String) -> [String] = { [$0] }
  ) throws(RegularLanguageError) -> RouteCondition {
    var language = oneOf.isEmpty ? Self.lists : try Self.lists(withAnyOf: oneOf.flatMap(readings))
    if !noneOf.isEmpty {
      language = try language.subtracting(try Self.lists(withAnyOf: noneOf.flatMap(readings)))
    }
    return RouteCondition(
      RouteCondition.Name.running, language, written: oneOf + noneOf.map { Self.negation + $0 })
  }

  /// The mark of an ID in `noneOf`; no ID contains a space.
  private static let negation = "none of "
  private static let id = RegularExpression.language(RegularLanguage(builtIn: "[^ ]+"))
  private static let space = RegularExpression.literal(" ")
  private static let lists = RegularLanguage(builtIn: "([^ ]+( [^ ]+)*)?")

  /// Returns the language of the lists that contain one of these IDs.
  private static func lists(withAnyOf ids: [String]) throws(RegularLanguageError) -> RegularLanguage {
    try RegularLanguage(
      .sequence([
        .repetition(.sequence([id, space]), min: 0, max: nil), .choice(ids.map { .literal($0) }),
        .repetition(.sequence([space, id]), min: 0, max: nil),
      ]))
  }

  /// Returns whether an application with this ID can be found running, which requires that the ID is a name on the bus.
  ///
  /// D-Bus Specification, "Valid Names".
  package static func isBusName(_ id: String) -> Bool {
    let elements = id.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return id.utf8.count <= 255 && elements.count > 1
      && elements.allSatisfy { element in
        element.first?.isASCIIDigit == false
          && element.allSatisfy { byte in
            byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
          }
      }
  }
}

extension RunningApplications: CustomStringConvertible {
  /// The applications as a phrase, such as `org.a or org.b, and none of org.c`.
  public var description: String {
    let required = oneOf.isEmpty ? [] : [oneOf.joined(separator: " or ")]
    let excluded = noneOf.isEmpty ? [] : [Self.negation + noneOf.joined(separator: " or ")]
    return (required + excluded).joined(separator: ", and ")
  }
}
