// SPDX-License-Identifier: Apache-2.0
import TestSupport

extension NaivePattern {
  /// Returns a random pattern over the alphabet of `NaiveURL`.
  static func random(_ random: inout SeededGenerator) -> NaivePattern {
    var pattern = NaivePattern()
    var names = 0
    func name() -> String {
      names += 1
      return "c\(names)"
    }
    func part(_ texts: [String], _ random: inout SeededGenerator, separator: String? = nil) -> [Piece] {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<10: return [.text(random.pick(texts))]
      case 10..<15: return [.hole(name(), random.pick(NaiveType.all))]
      case 15: return [.text(random.pick(["a", "v"])), .hole(name(), random.pick(NaiveType.all))]
      case 16: return [.hole(name(), random.pick(NaiveType.all)), .text(random.pick(["z", "a"]))]
      case 17:
        return [
          .hole(name(), random.pick(NaiveType.all)), .text("-"), .hole(name(), random.pick(NaiveType.all)),
        ]
      case 18: return [.choice(["a", "b", "7"])]
      default:
        guard let separator else { return [.text("a"), .choice(["", "b"])] }
        return random.oneIn(2)
          ? [.choice(["a\(separator)b", "b"])] : [.choice(["", "a\(separator)"]), .text("b")]
      }
    }
    if !random.oneIn(4) {
      pattern.scheme = random.pick(["a", "https"])
      pattern.isJoined = random.oneIn(12)
      pattern.hasHost = !pattern.isJoined && (pattern.scheme == "https" || !random.oneIn(4))
      if pattern.hasHost {
        pattern.labels = (0..<Int.random(in: 0...2, using: &random)).map { _ in
          .one(part(["h", "g"], &random, separator: "."))
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0 where pattern.labels.isEmpty: pattern.lead = "*"
        case 1 where !pattern.labels.isEmpty: pattern.lead = "*."
        case 2:
          pattern.labels.insert(.rest(name(), random.pick(NaiveType.all), isOptional: random.oneIn(3)), at: 0)
        default: break
        }
        // A URL of the web needs a host.
        if pattern.scheme == "https", pattern.labels.isEmpty, pattern.lead.isEmpty { pattern.lead = "*" }
        if !pattern.labels.isEmpty || pattern.lead == "*" {
          pattern.port = random.pick([
            .number(nil), .number(nil), .number(nil), .number(443), .number(8080), .any,
          ])
        }
        if random.oneIn(8) {
          pattern.user = random.oneIn(2) ? [.text("u")] : [.hole(name(), NaiveType.all[0])]
        }
      } else if !pattern.isJoined {
        pattern.isRooted = random.oneIn(2)
      }
    } else {
      pattern.isRooted = !random.oneIn(4)
      if random.oneIn(3) { pattern.excluded = random.pick([["a"], ["https"], ["a", "https"], ["b", "a"]]) }
    }
    pattern.segments = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      .one(part(["a", "b", "7", "é", "a/b", "A"], &random, separator: "/"))
    }
    if random.oneIn(4) {
      let place = Int.random(in: 0...pattern.segments.count, using: &random)
      let rest = ComponentMatcher.rest(
        name(), random.oneIn(2) ? NaiveType.all[0] : random.pick(NaiveType.all), isOptional: random.oneIn(4))
      pattern.segments.insert(rest, at: place)
      if random.oneIn(3) {
        pattern.segments.append(.one([.text(random.pick(["a", "b"]))]))
        pattern.segments.append(
          .rest(name(), random.oneIn(2) ? NaiveType.all[0] : random.pick(NaiveType.all), isOptional: false))
        if random.oneIn(2) { pattern.segments.append(.one(part(["a", "b"], &random))) }
      }
    }
    if random.oneIn(5) {
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let isWord = random.oneIn(2)
        pattern.segments.append(
          .optional(name(), isWord ? NaiveType.all[0] : NaiveType.all[1], value: random.oneIn(2) ? nil : "7"))
      }
    }
    if pattern.segments.isEmpty { pattern.segments = [.one(random.oneIn(2) ? [] : [.text("a")])] }
    var keys = ["k", "l", "m+n"]
    for _ in 0..<Int.random(in: 0...2, using: &random) where random.oneIn(2) {
      let key = keys.remove(at: Int.random(in: 0..<keys.count, using: &random))
      let type = random.pick(NaiveType.all)
      let tests: [Test] = [
        .present, .absent, .value([]), .value([.text("1")]), .value([.text("x y")]),
        .value(part(["1", "+"], &random)),
        .value([.hole(name(), type)]), .value([.hole(name(), type)]), .list(name(), type, isOptional: false),
        .list(name(), type, isOptional: true), .optional(name(), type, value: nil),
        .optional(name(), NaiveType.all[1], value: "-1"),
      ]
      pattern.query.append((key, random.pick(tests)))
    }
    if random.oneIn(4) {
      let tests: [Test] = [
        .value([.text("f")]), .value([]), .value(part(["f", "1"], &random)),
        .value([.hole(name(), random.pick(NaiveType.all))]),
        .optional(name(), random.pick(NaiveType.all), value: nil),
        .optional(name(), NaiveType.all[0], value: "top"),
      ]
      pattern.fragment = random.pick(tests)
    }
    pattern.ignoresCase = random.oneIn(10)
    pattern.ignoresSlash = random.oneIn(10)
    pattern.plusIsLiteral = random.oneIn(12)
    return pattern
  }
}
