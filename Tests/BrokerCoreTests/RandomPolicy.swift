// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A random policy of an administrator and a user, with its decisions according to the rules in `docs/policy.md`.
///
/// The decisions are computed directly, without an index, an order or a proof. The links are `notes:/FIRST/SECOND` and
/// `notes:FIRST` with letters from `a` to `d`, `memo:a` and `zork:a`, so that the matches of a route can be counted.
struct RandomPolicy {
  /// The matcher of a segment, narrower ones first.
  enum Place: Hashable {
    case letter(String)
    case aOrB
    case any

    var letters: Set<String> {
      switch self {
      case .letter(let letter): [letter]
      case .aOrB: ["a", "b"]
      case .any: Set(RandomPolicy.letters)
      }
    }

    var width: Int {
      switch self {
      case .letter: 0
      case .aOrB: 1
      case .any: 2
      }
    }

    func text(_ name: String) -> String {
      switch self {
      case .letter(let letter): letter
      case .aOrB: "{\(name):a|b}"
      case .any: "{\(name)}"
      }
    }
  }

  enum Action: String, CaseIterable {
    case open, ask, deny, allow
  }

  enum Layer: CaseIterable {
    /// The final routes of `/etc/xdg`, and those of another directory that only root can write.
    case final, foreign
    case user, administrator

    var isFinal: Bool { self == .final || self == .foreign }
  }

  struct Request: Hashable {
    var scheme = "notes"
    let first: String
    /// `nil` for a URL without slashes.
    let second: String?
    let source: String?

    var url: String { second.map { "\(scheme):/\(first)/\($0)" } ?? "\(scheme):\(first)" }
  }

  enum Outcome: Hashable {
    case opened(by: String), asked, denied
  }

  struct Rule {
    let id: String
    let layer: Layer
    let first: Place
    let second: Place
    var source: String?
    let action: Action
    var winsOver: String?
    var isBroken = false
    /// The schemes that a rule for every other URL excludes; `nil` if the rule has a pattern instead.
    var excluded: Set<String>?

    func matches(_ request: Request) -> Bool {
      guard source == nil || source == request.source else { return false }
      if let excluded { return !excluded.contains(request.scheme) }
      return request.scheme == "notes" && first.letters.contains(request.first)
        && request.second.map(second.letters.contains) ?? false
    }

    /// The sort key: narrower patterns first, compared from the left.
    var key: (Int, Int, Int, Int) {
      let conditions = source == nil ? 1 : 0
      return excluded.map { (3, 3, conditions, -$0.count) } ?? (first.width, second.width, conditions, 0)
    }

    /// Returns whether the rules exclude different schemes, neither of them all those of the other, under equal conditions.
    func crosses(_ other: Rule) -> Bool {
      guard let excluded, let others = other.excluded, source == other.source else { return false }
      return !excluded.isSubset(of: others) && !others.isSubset(of: excluded)
    }

    var requests: Set<Request> { Set(RandomPolicy.requests.filter(matches)) }

    var toml: String {
      var lines = [
        "[route.\(id)]",
        matching,
        isBroken ? "aks = true" : line,
      ]
      if let source { lines.append("source = [\"\(source)\"]") }
      if layer.isFinal { lines.append("final = true") }
      if let winsOver { lines.append("wins_over = \"\(winsOver)\"") }
      return lines.joined(separator: "\n") + "\n"
    }

    private var matching: String {
      guard let excluded else { return "match = \"notes:/\(first.text("x"))/\(second.text("y"))\"" }
      let names = excluded.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
      return excluded.isEmpty ? "scheme = \"*\"" : "scheme = { except = [\(names)] }"
    }

    private var line: String {
      switch action {
      case .open: "open = \"org.example.Other\""
      case .ask: "ask = true"
      case .deny: "deny = \"no\""
      case .allow: "allow = true"
      }
    }
  }

  static let letters = ["a", "b", "c", "d"]
  static let source = "org.example.Known"
  static let requests =
    letters.flatMap { first in
      (letters + [nil]).flatMap { (second: String?) in
        [nil, source].map { Request(first: first, second: second, source: $0) }
      }
    }
    + ["memo", "zork"].flatMap { scheme in
      [nil, source].map { Request(scheme: scheme, first: "a", second: nil, source: $0) }
    }

  let rules: [Rule]

  init(_ random: inout SeededGenerator) {
    func place() -> Place {
      random.pick([.letter("a"), .letter("b"), .letter("c"), .aOrB, .aOrB, .any, .any])
    }
    var rules = (0..<random.below(12) + 1).map { number in
      Rule(
        id: "r\(number)", layer: random.pick(Layer.allCases), first: place(), second: place(),
        source: random.oneIn(4) ? Self.source : nil, action: random.pick(Action.allCases))
    }
    for index in rules.indices where random.oneIn(6) {
      rules[index].excluded = random.pick([[], [], ["memo"], ["notes"], ["memo", "notes"]])
    }
    for index in rules.indices where rules[index].layer == .user && random.oneIn(10) {
      rules[index].isBroken = true
    }
    let finals = rules.indices.filter { rules[$0].layer.isFinal }
    let denials = finals.filter { rules[$0].action == .deny }
    // Only one `wins_over`, because the rules do not define which of several unsatisfiable ones is dropped.
    if let winner = finals.filter({ rules[$0].action != .deny }).randomElement(using: &random),
      let loser = denials.randomElement(using: &random)
    {
      rules[winner].winsOver = rules[loser].id
    }
    self.rules = rules
  }

  /// Returns the file of the administrator, or of the user.
  func file(of layers: Set<Layer>) -> String {
    rules.filter { layers.contains($0.layer) }.map(\.toml).joined(separator: "\n")
  }

  /// The rules without invalid ones.
  private var sound: [Rule] {
    var sound = rules.filter { !$0.isBroken }
    for index in sound.indices where sound[index].layer == .foreign {
      // Another directory has no exception from a denial of `/etc/xdg`.
      let loser = sound.first { $0.id == sound[index].winsOver }
      if loser?.layer == .final { sound[index].winsOver = nil }
    }
    return sound
  }

  private func conflicts(_ rule: Rule, _ other: Rule) -> Bool {
    guard rule.id != other.id, rule.layer == other.layer else { return false }
    if rule.requests == other.requests { return true }
    return rule.crosses(other) && rule.winsOver != other.id && other.winsOver != rule.id
  }

  /// The effective rules: of conflicting ones of one layer only denials, and questions that conflict with no denial.
  private var holding: [Rule] {
    sound.filter { rule in
      let others = sound.filter { conflicts(rule, $0) }
      return switch rule.action {
      case .deny: true
      case .ask: !others.contains { $0.action == .deny }
      case .open, .allow: others.isEmpty
      }
    }
  }

  /// The questions of the administrator that conflict with a denial; their links are denied.
  private var lostQuestions: [Rule] {
    let kept = Set(holding.map(\.id))
    return sound.filter { $0.action == .ask && $0.layer != .user && !kept.contains($0.id) }
  }

  /// Returns the decision for each request; `nil` if the rules define none that can be computed directly.
  ///
  /// That is the case if a route that wins over a denial overlaps another that depends on the denial, or if it cannot win
  /// only because of routes that conflict with each other.
  func outcomes() -> [Request: Outcome]? {
    var rules = holding
    if let winner = rules.first(where: { $0.winsOver != nil }),
      let denial = rules.first(where: { $0.id == winner.winsOver })
    {
      func heldUp(_ rule: Rule) -> Bool {
        rule.layer.isFinal && rule.action != .deny && rule.id != winner.id
          && !rule.requests.isDisjoint(with: denial.requests)
      }
      let others = rules.filter(heldUp)
      let setAside = self.rules.filter { rule in heldUp(rule) && !others.contains { $0.id == rule.id } }
      if setAside.contains(where: { $0.requests.isSubset(of: winner.requests) }) { return nil }
      let isImpossible =
        denial.requests.isSubset(of: winner.requests)
        || others.contains {
          $0.requests.isSubset(of: winner.requests) && ($0.layer == .final || winner.layer == .foreign)
        }
      // Of two questions about the same links only one is an exception, and the rules do not define which comes first.
      if others.contains(where: { $0.layer == winner.layer && $0.requests == winner.requests }) { return nil }
      // Then the two conflict, too, which the rules do not define.
      if isImpossible, winner.crosses(denial) { return nil }
      if isImpossible {
        // A `wins_over` that cannot be satisfied is dropped, so that the denial applies.
        rules = rules.map { rule in
          var rule = rule
          rule.winsOver = nil
          return rule
        }
      } else if others.contains(where: {
        ($0.key < winner.key || $0.layer != winner.layer) && !$0.requests.isDisjoint(with: winner.requests)
      }) {
        return nil
      }
    }
    let lost = lostQuestions
    return Dictionary(
      uniqueKeysWithValues: Self.requests.map { ($0, Self.outcome(of: $0, by: rules, denying: lost)) })
  }

  private static func outcome(of request: Request, by rules: [Rule], denying lost: [Rule]) -> Outcome {
    var isAllowed = false
    for layer in Layer.allCases where layer != .foreign {
      // Independent of the conditions of the rule.
      let mayBeDenied = lost.contains { rule in
        var rule = rule
        rule.source = nil
        return rule.layer.isFinal == layer.isFinal && rule.matches(request)
      }
      if mayBeDenied, layer.isFinal || layer == .administrator && !isAllowed { return .denied }
      let matching = rules.filter {
        ($0.layer == layer || layer.isFinal && $0.layer == .foreign) && $0.matches(request)
      }
      // A final route of `/etc/xdg` comes before those of another directory, however narrow.
      let foremost = matching.filter { $0.layer != .foreign }
      var winner = (foremost.isEmpty ? matching : foremost).min { $0.key < $1.key }
      if layer.isFinal {
        let denials = matching.filter { $0.action == .deny }
        let exception = matching.first { rule in
          rule.winsOver != nil && denials.allSatisfy { $0.id == rule.winsOver }
        }
        if !denials.isEmpty { winner = exception ?? denials[0] }
      }
      switch winner?.action {
      case .open: return .opened(by: "org.example.Other")
      case .ask: if !isAllowed { return .asked }
      case .deny: if !isAllowed { return .denied }
      case .allow: isAllowed = true
      case nil: break
      }
    }
    return .opened(by: "org.example.Viewer")
  }
}
