import TestSupport

/// A policy of an administrator and a user, made at random, and what it says of a link by the rules as `docs/policy.md` has them:
/// looked up one by one, without an index, an order or a proof.
///
/// Its links are `notes:/FIRST/SECOND` of the letters `a` to `d`, so that what a pattern matches can be counted.
struct RandomPolicy {
  /// What a pattern takes at one place, the narrower first.
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
    case final, user, administrator
  }

  struct Request: Hashable {
    let first: String
    let second: String
    let source: String?

    var url: String { "notes:/\(first)/\(second)" }
  }

  enum Outcome: Hashable {
    case opened(by: String), asked, denied
  }

  struct Rule {
    let id: String
    let layer: Layer
    let first: Place
    let second: Place
    let source: String?
    let action: Action
    var winsOver: String?
    var isBroken = false

    func matches(_ request: Request) -> Bool {
      first.letters.contains(request.first) && second.letters.contains(request.second)
        && (source == nil || source == request.source)
    }

    /// The narrower it is, from the left, the sooner it comes.
    var key: (Int, Int, Int) { (first.width, second.width, source == nil ? 1 : 0) }

    var requests: Set<Request> { Set(RandomPolicy.requests.filter(matches)) }

    var toml: String {
      var lines = [
        "[route.\(id)]", "match = \"notes:/\(first.text("x"))/\(second.text("y"))\"",
        isBroken ? "aks = true" : line,
      ]
      if let source { lines.append("source = [\"\(source)\"]") }
      if layer == .final { lines.append("final = true") }
      if let winsOver { lines.append("wins_over = \"\(winsOver)\"") }
      return lines.joined(separator: "\n") + "\n"
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
  static let requests = letters.flatMap { first in
    letters.flatMap { second in
      [nil, source].map { Request(first: first, second: second, source: $0) }
    }
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
    for index in rules.indices where rules[index].layer == .user && random.oneIn(10) {
      rules[index].isBroken = true
    }
    let finals = rules.indices.filter { rules[$0].layer == .final }
    let denials = finals.filter { rules[$0].action == .deny }
    // One wish: of several that cannot all be carried out, which is dropped is no rule.
    if let winner = finals.filter({ rules[$0].action != .deny }).randomElement(using: &random),
      let loser = denials.randomElement(using: &random)
    {
      rules[winner].winsOver = rules[loser].id
    }
    self.rules = rules
  }

  /// The file of the administrator, or the user.
  func file(of layers: Set<Layer>) -> String {
    rules.filter { layers.contains($0.layer) }.map(\.toml).joined(separator: "\n")
  }

  /// The rules that hold: a broken one is left out, and of those of one layer that claim the same requests only those that deny stay.
  private var holding: [Rule] {
    let sound = rules.filter { !$0.isBroken }
    return sound.filter { rule in
      rule.action == .deny
        || !sound.contains { $0.id != rule.id && $0.layer == rule.layer && $0.requests == rule.requests }
    }
  }

  /// What the rules say of each request; `nil` where they have no say that a reader could tell at once: a route that wins over a
  /// denial crosses another that the denial holds up, or cannot win only because of routes that conflict with each other.
  func outcomes() -> [Request: Outcome]? {
    var rules = holding
    if let winner = rules.first(where: { $0.winsOver != nil }),
      let denial = rules.first(where: { $0.id == winner.winsOver })
    {
      func heldUp(_ rule: Rule) -> Bool {
        rule.layer == .final && rule.action != .deny && rule.id != winner.id
          && !rule.requests.isDisjoint(with: denial.requests)
      }
      let others = rules.filter(heldUp)
      let setAside = self.rules.filter { rule in heldUp(rule) && !others.contains { $0.id == rule.id } }
      if setAside.contains(where: { $0.requests.isSubset(of: winner.requests) }) { return nil }
      let isImpossible =
        denial.requests.isSubset(of: winner.requests)
        || others.contains { $0.requests.isSubset(of: winner.requests) }
      if isImpossible {
        // A wish that cannot be carried out is left out, so that the denial holds.
        rules = rules.map { rule in
          var rule = rule
          rule.winsOver = nil
          return rule
        }
      } else if others.contains(where: {
        $0.key < winner.key && !$0.requests.isDisjoint(with: winner.requests)
      }) {
        return nil
      }
    }
    return Dictionary(
      uniqueKeysWithValues: Self.requests.map { ($0, Self.outcome(of: $0, by: rules)) })
  }

  private static func outcome(of request: Request, by rules: [Rule]) -> Outcome {
    var isAllowed = false
    for layer in Layer.allCases {
      let matching = rules.filter { $0.layer == layer && $0.matches(request) }
      var winner = matching.min { $0.key < $1.key }
      if layer == .final {
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
