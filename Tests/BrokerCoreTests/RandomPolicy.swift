// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A random policy of an administrator and a user, with its decisions according to the rules in `docs/policy.md`.
///
/// The decisions are computed directly, without an index or a proof. The links are `notes:/FIRST/SECOND` and
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

  enum Action: String {
    case open, ask, deny, allow
    /// The replacement by `zork:a`.
    case rewrite
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
    /// The application that the caller names.
    var target: String?

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
    var action: Action
    var winsOver: Set<String> = []
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
      if !winsOver.isEmpty {
        lines.append("wins_over = [\(winsOver.sorted().map { "\"\($0)\"" }.joined(separator: ", "))]")
      }
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
      case .rewrite: "rewrite = \"zork:a\""
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

  /// Creates a random policy.
  ///
  /// - Parameter rewrites: Whether some of the rules for `notes:` replace the link.
  init(_ random: inout SeededGenerator, rewrites: Bool = false) {
    func place() -> Place {
      random.pick([.letter("a"), .letter("b"), .letter("c"), .aOrB, .aOrB, .any, .any])
    }
    var rules = (0..<random.below(12) + 1).map { number in
      Rule(
        id: "r\(number)", layer: random.pick(Layer.allCases), first: place(), second: place(),
        source: random.oneIn(4) ? Self.source : nil, action: random.pick([.open, .ask, .deny, .allow]))
    }
    for index in rules.indices where random.oneIn(6) {
      rules[index].excluded = random.pick([[], [], ["memo"], ["notes"], ["memo", "notes"]])
    }
    for index in rules.indices where rules[index].layer == .user && random.oneIn(10) {
      rules[index].isBroken = true
    }
    for index in rules.indices where rewrites && rules[index].excluded == nil && random.oneIn(3) {
      rules[index].action = .rewrite
    }
    let finals = rules.indices.filter { rules[$0].layer.isFinal }
    let denials = finals.filter { rules[$0].action == .deny }
    let rarity = random.below(3) + 1
    for index in finals where rules[index].action != .deny && random.oneIn(rarity) {
      rules[index].winsOver = Set(denials.filter { _ in random.oneIn(2) }.map { rules[$0].id })
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
    // Another directory has no exception from a denial of `/etc/xdg`.
    let own = Set(sound.filter { $0.layer == .final }.map(\.id))
    for index in sound.indices where sound[index].layer == .foreign { sound[index].winsOver.subtract(own) }
    return sound
  }

  /// Returns whether two rules of one layer match the same URLs, or cross without a `wins_over` between them.
  private static func conflicts(_ rule: Rule, _ other: Rule) -> Bool {
    guard rule.id != other.id, rule.layer == other.layer else { return false }
    if rule.requests == other.requests { return true }
    return rule.crosses(other) && !rule.winsOver.contains(other.id) && !other.winsOver.contains(rule.id)
  }

  /// The effective rules, with the effective `wins_over`.
  ///
  /// Of conflicting rules of one layer only denials are effective, and questions that conflict with no denial. A `wins_over` that
  /// cannot be satisfied is not effective, nor is it after the rules that made it impossible have been left out.
  private var holding: [Rule] {
    var rules = sound
    while true {
      let precedence = RandomPrecedence(rules.filter(\.layer.isFinal))
      for index in rules.indices where rules[index].layer.isFinal {
        rules[index].winsOver = precedence.winsOver[rules[index].id] ?? []
      }
      let kept = rules.filter { rule in
        let others = rules.filter { Self.conflicts(rule, $0) }
        return switch rule.action {
        case .deny: true
        case .ask: !others.contains { $0.action == .deny }
        case .open, .allow, .rewrite: others.isEmpty
        }
      }
      guard kept.count < rules.count else { return rules }
      let names = Set(kept.map(\.id))
      rules = kept.map { rule in
        var rule = rule
        rule.winsOver.formIntersection(names)
        return rule
      }
    }
  }

  /// Returns the decision for each request, without those for which the rules define no order of the matching routes.
  ///
  /// - Parameter target: The application that the caller names.
  func outcomes(target: String? = nil) -> [Request: Outcome] {
    let rules = holding
    let kept = Set(rules.map(\.id))
    // The questions of the administrator that conflict with a denial; their links are denied.
    let lost = sound.filter { $0.action == .ask && $0.layer != .user && !kept.contains($0.id) }
    let precedence = RandomPrecedence(rules.filter(\.layer.isFinal))
    return Dictionary(
      uniqueKeysWithValues: Self.requests.compactMap { request -> (Request, Outcome)? in
        var request = request
        request.target = target
        return Self.outcome(of: request, by: rules, precedence, denying: lost).map { (request, $0) }
      })
  }

  private static func outcome(
    of request: Request, by rules: [Rule], _ precedence: RandomPrecedence, denying lost: [Rule]
  ) -> Outcome? {
    var (isAllowed, isAsked) = (false, false)
    // The user is not asked about a link that is denied whatever the answer is.
    func result(_ outcome: Outcome?) -> Outcome? {
      outcome.map { isAsked && $0 != .denied ? .asked : $0 }
    }
    for layer in Layer.allCases where layer != .foreign {
      // Independent of the conditions of the rule.
      let mayBeDenied = lost.contains { rule in
        var rule = rule
        rule.source = nil
        return rule.layer.isFinal == layer.isFinal && rule.matches(request)
      }
      if mayBeDenied, layer.isFinal || layer == .administrator && !isAllowed { return result(.denied) }
      let matching = rules.filter {
        // The target opens the link itself, as if no rule that is not final replaced it.
        ($0.layer == layer || layer.isFinal && $0.layer == .foreign) && $0.matches(request)
          && (request.target == nil || layer.isFinal || $0.action != .rewrite)
      }
      var winner = matching.min { $0.key < $1.key }
      if layer.isFinal, !matching.isEmpty {
        guard let first = precedence.first(of: matching, for: request) else { return nil }
        winner = first
      }
      switch winner?.action {
      case .open:
        return result(
          .opened(by: layer.isFinal ? "org.example.Other" : request.target ?? "org.example.Other"))
      case .ask:
        isAsked = isAsked || !isAllowed
        isAllowed = true
      case .deny: if !isAllowed { return .denied }
      case .allow: isAllowed = true
      case .rewrite:
        let next = Request(
          scheme: "zork", first: "a", second: nil, source: request.source, target: request.target)
        return result(Self.outcome(of: next, by: rules, precedence, denying: lost))
      case nil: break
      }
    }
    return result(.opened(by: request.target ?? "org.example.Viewer"))
  }
}
