// SPDX-License-Identifier: Apache-2.0
public import RegularLanguages

/// A condition of a route on the request rather than on the URL.
///
/// The broker evaluates the conditions in ``Name``; an application may define others. The caller of `match` passes the
/// request's values as texts, and all conditions of a route must hold.
///
/// ```swift
/// let chat = try RouteCondition("source", matching: #"org\.example\.Chat|org\.signal\..*"#)
/// try routes.add("tel:{number}", id: "call", action: "call", when: [chat])
/// let calls = try routes.build()
/// try calls.match("tel:+4412", when: ["source": "org.signal.Desktop"])?.route.id   // "call"
/// ```
public struct RouteCondition: Hashable, Sendable {
  /// The name of the tested property of the request.
  public let name: String
  /// The values for which the condition holds; an absent value is the empty text.
  public let language: RegularLanguage
  /// The condition as the route file writes it, such as `org.signal.*`, for explanations; empty if there is no such text.
  public let written: [String]

  /// Creates a condition that holds if the request's value for `name` is in `language`.
  ///
  /// - Parameter written: the condition as the route file writes it.
  public init(_ name: String, _ language: RegularLanguage, written: [String] = []) {
    self.name = name
    self.language = language
    self.written = written
  }

  /// Creates a condition that holds if the request's value for `name` matches a regular expression.
  ///
  /// - Throws: ``RouteTableError`` if the expression is invalid or its automaton is too large.
  public init(_ name: String, matching expression: String) throws(RouteTableError) {
    do { self.init(name, try RegularLanguage(expression)) } catch { throw RouteTableError(error) }
  }

  /// Creates a condition that holds if the request's value for `name` is one of `texts`.
  ///
  /// - Throws: ``RouteTableError`` if there are so many texts that their automaton is too large.
  public init(_ name: String, anyOf texts: [String]) throws(RouteTableError) {
    do { self.init(name, try RegularLanguage(anyOf: texts)) } catch { throw RouteTableError(error) }
  }
}

extension RouteCondition {
  /// Returns one condition for each name, sorted by name.
  ///
  /// Several conditions of one name become one whose language is their intersection.
  ///
  /// - Throws: `expressionTooLarge` if that language needs too many states.
  static func united(_ conditions: [RouteCondition]) throws(RouteTableError) -> [RouteCondition] {
    guard conditions.count > 1 else { return conditions }
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
      let language: RegularLanguage
      do { language = try last.language.intersection(condition.language) } catch {
        throw RouteTableError(error)
      }
      united.append(RouteCondition(condition.name, language))
    }
    return united
  }
}

/// The set of routes with one precedence; the routes of an earlier case win over those of a later one.
public enum PolicyLayer: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// The administrator's routes with `final`.
  case finalAdministrator
  /// The routes of all files that clean URLs before other routes decide, with `rewrite = { first = true }`.
  case cleaning
  /// The user's routes.
  case user
  /// The administrator's routes.
  case administrator
  /// The routes that were installed with applications.
  case vendor

  /// Returns whether the first layer precedes the second.
  public static func < (first: PolicyLayer, second: PolicyLayer) -> Bool { first.rawValue < second.rawValue }
}
