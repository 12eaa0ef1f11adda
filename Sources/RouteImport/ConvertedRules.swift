// SPDX-License-Identifier: Apache-2.0
import RegularLanguages
import RouteTables

/// Rules with their patterns, in an order-independent form.
struct ConvertedRules {
  /// A rule that becomes a route.
  struct Kept {
    let rule: ImportedRule
    let matcher: ConvertedMatcher
    let id: String

    /// Indicates whether the rule decides about all web links that no other rule matches.
    var isDefault: Bool { rule.conditions.isEmpty }

    /// Indicates whether the route decides all web links that no earlier one decides.
    var decidesAll: Bool { matcher.isAll && !rule.action.rewrites }

    var route: RouteImport.Route {
      RouteImport.Route(id: id, location: rule.location, text: rule.text, differences: differences)
    }

    /// Returns whether the route must name a later one in `wins_over`.
    func precedes(_ later: Kept) -> Bool {
      // Every other route is narrower than one for all web links.
      guard !later.matcher.isAll else { return false }
      if matcher.isAll { return !later.matcher.shapes.isEmpty }
      return matcher.shapes.contains { shape in
        later.matcher.shapes.contains { other in
          switch shape.language.relation(to: other.language) {
          case .disjoint, .narrower: false
          case .equal, .wider, .crossing: true
          }
        }
      }
    }

    var differences: [String] {
      var all = rule.notes
      if let missing = matcher.missing {
        all.append("The rule also matches `\(missing)`; the route does not.")
      }
      if let surplus = matcher.surplus {
        all.append("The route also matches `\(surplus)`; the rule does not.")
      }
      if matcher.isUndecided, matcher.schemes.isEmpty {
        all.append("The rule is too large to be compared with the route.")
      }
      // A note may quote the file.
      return all.map(\.inOneLine)
    }
  }

  /// The reason for which a rule without effect is left out.
  private static let isKnown = "earlier rules match all links of its route"

  private(set) var kept: [Kept] = []
  private(set) var leftOut: [RouteImport.LeftOut]

  init(_ rules: ImportedRules) {
    leftOut = rules.leftOut
    var known = RegularLanguage.none
    var schemes: Set<String> = []
    var rewrites: [ImportedRule] = []
    for var rule in rules.rules {
      if rule.conditions.isEmpty {
        guard !kept.contains(where: \.isDefault) else {
          leaveOut(rule, "an earlier file already has a default browser")
          continue
        }
        guard !kept.contains(where: \.decidesAll) else {
          leaveOut(rule, Self.isKnown)
          continue
        }
        kept.append(Kept(rule: rule, matcher: ConvertedMatcher([]), id: "default"))
        continue
      }
      let matcher = ConvertedMatcher(rule.conditions)
      if rule.action.rewrites {
        rewrites.append(rule)
        // Finicky applies each rule once, Usher until none applies.
        if let url = Self.repeated(rule, matcher, by: rewrites) {
          leaveOut(rule, "a rule that rewrites also matches `\(url)`, so that Usher would rewrite it again")
          continue
        }
      }
      if case .replace(let parts) = rule.action, parts.dropsPort,
        matcher.shapes.contains(where: { $0.shape.port != .standard })
      {
        rule.notes.append("Finicky keeps the port of the link; the route removes it.")
      }
      guard !matcher.isEmpty else {
        leaveOut(rule, Self.reason(matcher.reasons, of: rule))
        continue
      }
      if matcher.isAll {
        guard !kept.contains(where: \.decidesAll) else {
          leaveOut(rule, Self.isKnown)
          continue
        }
        if !rule.action.rewrites { known = matcher.language }
        schemes.formUnion(matcher.schemes)
        kept.append(Kept(rule: rule, matcher: matcher, id: Self.unique("all-links", besides: kept.map(\.id))))
        continue
      }
      let isKnown = matcher.language.isEmpty || matcher.language.isSubset(of: known)
      guard !isKnown || !Set(matcher.schemes).isSubset(of: schemes) else {
        leaveOut(rule, Self.isKnown)
        continue
      }
      for reason in matcher.reasons {
        leaveOut(rule, "a part of its conditions, `\(reason.condition.inOneShortLine)`: \(reason.text)")
      }
      schemes.formUnion(matcher.schemes)
      if let union = try? known.union(matcher.language) { known = union }
      kept.append(Kept(rule: rule, matcher: matcher, id: Self.id(of: matcher, besides: kept.map(\.id))))
    }
    leftOut = leftOut.enumerated().sorted {
      ($0.element.location.file, $0.element.location.line, $0.offset)
        < ($1.element.location.file, $1.element.location.line, $1.offset)
    }.map(\.element)
  }

  /// Returns a result of a rewrite that one of the rules would change again; `nil` if there is none among the examples.
  private static func repeated(
    _ rule: ImportedRule, _ matcher: ConvertedMatcher, by rewrites: [ImportedRule]
  ) -> String? {
    let examples = SampleURLs.urls(for: matcher).map(\.text).filter { rule.matches($0) }
    let results = (examples + ["https://example.net/"]).compactMap { rule.action.rewritten($0) }
    return results.first { url in
      rewrites.contains { $0.matches(url) && $0.action.rewritten(url) != url }
    }
  }

  private mutating func leaveOut(_ rule: ImportedRule, _ reason: String) {
    leftOut.append(RouteImport.LeftOut(location: rule.location, text: rule.text, reason: reason))
  }

  /// Leaves out a rule that becomes no valid route.
  mutating func leaveOut(at index: Int, reason: String) {
    leaveOut(kept.remove(at: index).rule, reason)
  }

  /// Returns the routes behind a route that match some of its URLs, unless each of its patterns is narrower anyway.
  func losers(of index: Int) -> [String] {
    kept[(index + 1)...].filter { kept[index].precedes($0) }.map(\.id)
  }

  /// Returns why none of the conditions of a rule has a pattern.
  private static func reason(_ reasons: [ConvertedMatcher.Reason], of rule: ImportedRule) -> String {
    guard let first = reasons.first else { return "it matches no link" }
    guard rule.conditions.count > 1 else { return first.text }
    return reasons.map { "`\($0.condition.inOneShortLine)`: \($0.text)" }.joined(separator: "; ")
  }

  /// Returns the name of a route: its first host, or its scheme.
  private static func id(of matcher: ConvertedMatcher, besides known: [String]) -> String {
    var name = matcher.schemes.first ?? "links"
    for item in matcher.shapes {
      let labels = item.shape.labels.compactMap { label in
        if case .literal(let text) = label { text } else { nil }
      }
      guard !labels.isEmpty else { continue }
      name = labels.joined(separator: "-")
      if case .literal(let text)? = item.shape.path.first, !text.isEmpty { name += "-" + text }
      if case .beginning(let text)? = item.shape.path.first { name += "-" + text }
      break
    }
    return unique(name, besides: known)
  }

  /// Returns a name for a route that consists of letters, digits and hyphens, and that no other has.
  private static func unique(_ name: String, besides known: [String]) -> String {
    let letters = name.lowercased().unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        ? String(scalar) : "-"
    }.joined()
    let base = letters.split(separator: "-").joined(separator: "-").prefix(48)
    let id = base.isEmpty || base == "default" ? "links" : String(base)
    guard known.contains(id) else { return id }
    return (2...).lazy.map { "\(id)-\($0)" }.first { !known.contains($0) } ?? id
  }
}
