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
    /// The schemes of the web, without those all of whose links an earlier rule decides.
    let webSchemes: [String]

    /// Indicates whether the rule decides about all web links that no other rule matches.
    var isDefault: Bool { rule.conditions.isEmpty }

    /// Indicates whether the route matches all web links of all applications, so that every other route is narrower.
    var matchesEverything: Bool { matcher.isAll && rule.sources.isEmpty && !isOutline }

    /// Returns whether the route decides all web links of a later rule's applications.
    func decidesAll(of later: ImportedRule) -> Bool {
      if matchesEverything { return !rule.action.rewrites }
      return matcher.isAll && !isOutline && !later.sources.isEmpty
        && Set(later.sources).isSubset(of: rule.sources)
    }

    /// Indicates whether a comment takes the place of the route.
    var isOutline: Bool { rule.outline != nil }

    var route: RouteImport.Route {
      RouteImport.Route(
        id: id, location: rule.location, text: rule.text, differences: differences, advice: advice)
    }

    /// Returns whether the route must name a later one in `wins_over`.
    func precedes(_ later: Kept) -> Bool {
      guard !later.isDefault, !later.isOutline, !later.matchesEverything else { return false }
      if !rule.sources.isEmpty, !later.rule.sources.isEmpty,
        Set(rule.sources).isDisjoint(with: later.rule.sources)
      {
        return false
      }
      // A route for all web links moves others behind itself, also those that include one of its losers.
      if matcher.isAll || later.matcher.isAll {
        return (matcher.isAll || !matcher.shapes.isEmpty)
          && (later.matcher.isAll || !later.matcher.shapes.isEmpty)
      }
      return matcher.shapes.contains { shape in
        later.matcher.shapes.contains { other in
          // Most rules are for different hosts, whose automata need not be compared.
          guard !shape.shape.hasOtherHost(than: other.shape) else { return false }
          return switch shape.language.relation(to: other.language) {
          case .disjoint, .narrower: false
          case .equal, .wider, .crossing: true
          }
        }
      }
    }

    /// The sentences for the reader, each in one line, because they may quote the file.
    var advice: [String] { rule.advice.map(\.inOneLine) }

    var differences: [String] {
      var all = rule.notes
      if let missing = matcher.missing {
        all.append("The rule also matches `\(missing)`; the route does not.")
      }
      if let other = matcher.missingOther {
        all.append("The rule also matches `\(other)`; the route does not.")
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
  /// The web URLs that earlier routes match for all applications.
  private var known = RegularLanguage.none
  /// The schemes of the web, without those all of whose links an earlier route decides.
  private var webSchemes = ["https", "http"]
  /// The schemes all of whose URLs an earlier route matches.
  private var schemes: Set<String> = []
  /// The rules that rewrite, as far as they were converted.
  private var rewrites: [ImportedRule] = []

  init(_ rules: ImportedRules) {
    leftOut = rules.leftOut
    for rule in rules.rules {
      if rule.conditions.isEmpty { addDefault(rule) } else { add(rule) }
    }
    leftOut = leftOut.enumerated().sorted {
      ($0.element.location.file, $0.element.location.line, $0.offset)
        < ($1.element.location.file, $1.element.location.line, $1.offset)
    }.map(\.element)
  }

  /// Adds the rule for the links that no other rule matches.
  private mutating func addDefault(_ rule: ImportedRule) {
    guard !kept.contains(where: \.isDefault) else {
      return leaveOut(rule, "an earlier file already has a default browser")
    }
    guard !isDecided(rule) else { return leaveOut(rule, Self.isKnown) }
    keep(rule, ConvertedMatcher([]), as: "default")
  }

  private mutating func add(_ rule: ImportedRule) {
    var rule = rule
    var matcher = ConvertedMatcher(rule.conditions)
    if case .replace(let parts) = rule.action, let scheme = parts.onlyProtocol {
      // The rule leaves such links as they are, and later rules decide about them.
      matcher.remove(scheme: scheme)
    }
    if rule.action.rewrites {
      rewrites.append(rule)
      if let obstacle = obstacle(toRewritingBy: rule, matcher) { return leaveOut(rule, obstacle) }
    }
    if case .replace(let parts) = rule.action, parts.dropsPort,
      matcher.shapes.contains(where: { $0.shape.port != .standard })
    {
      rule.notes.append("Finicky keeps the port of the link; the route removes it.")
    }
    guard !matcher.isEmpty else { return leaveOut(rule, Self.reason(matcher.reasons, of: rule)) }
    if matcher.isAll { addForAllLinks(rule, matcher) } else { addForPatterns(rule, matcher) }
  }

  /// Adds a rule for all web links, or for all those of its applications.
  private mutating func addForAllLinks(_ rule: ImportedRule, _ matcher: ConvertedMatcher) {
    guard rule.outline != nil || !isDecided(rule) else { return leaveOut(rule, Self.isKnown) }
    if rule.sources.isEmpty, rule.outline == nil, !rule.action.rewrites { known = matcher.language }
    schemes.formUnion(matcher.schemes)
    keep(rule, matcher, as: Self.id(of: rule, besides: kept.map(\.id)))
  }

  private mutating func addForPatterns(_ rule: ImportedRule, _ matcher: ConvertedMatcher) {
    let isKnown = matcher.language.isEmpty || matcher.language.isSubset(of: known)
    guard !isKnown || !Set(matcher.schemes).isSubset(of: schemes) else {
      return leaveOut(rule, Self.isKnown)
    }
    for reason in matcher.reasons {
      leaveOut(rule, "a part of its conditions, `\(reason.condition.inOneShortLine)`: \(reason.text)")
    }
    schemes.formUnion(matcher.schemes)
    // A wider route cannot win over a narrower one, so patterns without effect are removed.
    var matcher = matcher
    matcher.remove(within: known)
    if let union = try? known.union(matcher.language) { known = union }
    keep(rule, matcher, as: Self.id(of: matcher, besides: kept.map(\.id)))
    // A rule that rewrites may leave links of the scheme to the rules behind it.
    if let scheme = matcher.completeScheme,
      !Self.results(of: rule, matcher).contains(where: { $0.hasPrefix("\(scheme):") })
    {
      webSchemes.removeAll { $0 == scheme }
    }
  }

  private mutating func keep(_ rule: ImportedRule, _ matcher: ConvertedMatcher, as id: String) {
    kept.append(Kept(rule: rule, matcher: matcher, id: id, webSchemes: webSchemes))
  }

  /// Returns whether earlier routes decide about all web links of a rule's applications.
  private func isDecided(_ rule: ImportedRule) -> Bool {
    webSchemes.isEmpty || kept.contains { $0.decidesAll(of: rule) }
  }

  /// Returns why no route can rewrite as a rule does; `nil` if one can.
  private func obstacle(toRewritingBy rule: ImportedRule, _ matcher: ConvertedMatcher) -> String? {
    let results = Self.results(of: rule, matcher)
    guard results.allSatisfy({ $0.utf8.count <= Self.longestResult }) else {
      return "its new URL has more than \(Self.longestResult) bytes, and is too long to be checked"
    }
    // Finicky applies each rule once, Usher until none applies.
    return Self.repeated(results, by: rewrites).map {
      "a rule that rewrites also matches `\($0)`, so that Usher would rewrite it again"
    }
  }

  /// The maximum length of a rewritten URL in bytes; the rules are evaluated for it.
  private static let longestResult = 4_096

  /// Returns the URLs to which a rewrite leads for examples.
  private static func results(of rule: ImportedRule, _ matcher: ConvertedMatcher) -> [String] {
    let examples = SampleURLs.urls(for: matcher).map(\.text).filter { rule.matches($0) }
    return (examples + ["https://example.net/"]).compactMap { rule.action.rewritten($0) }
  }

  /// Returns the first of the results of a rewrite that one of the rules would change; `nil` if no rule changes any.
  private static func repeated(_ results: [String], by rewrites: [ImportedRule]) -> String? {
    results.first { url in
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

  /// Returns the routes before an outline that must precede its route.
  func winners(over index: Int) -> [String] {
    kept[..<index].filter { !$0.isOutline && !$0.isDefault && !$0.matcher.shapes.isEmpty }.map(\.id)
  }

  /// Returns why none of the conditions of a rule has a pattern.
  private static func reason(_ reasons: [ConvertedMatcher.Reason], of rule: ImportedRule) -> String {
    guard let first = reasons.first else { return "it matches no link" }
    guard rule.conditions.count > 1 else { return first.text }
    return reasons.map { "`\($0.condition.inOneShortLine)`: \($0.text)" }.joined(separator: "; ")
  }

  /// Returns the name of a route for all links, or for those of applications: that of the first.
  private static func id(of rule: ImportedRule, besides known: [String]) -> String {
    if rule.sources.isEmpty, rule.outline == nil { return unique("all-links", besides: known) }
    let name = rule.sources.first ?? rule.outline?.application ?? ""
    return unique(
      "from-" + (name.split(separator: ".").last.map(String.init) ?? "applications"), besides: known)
  }

  /// Returns the name of a route: its first host, or its scheme, or `all-` and the scheme whose links it matches.
  private static func id(of matcher: ConvertedMatcher, besides known: [String]) -> String {
    var name = matcher.schemes.first ?? matcher.completeScheme.map { "all-" + $0 } ?? "links"
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
