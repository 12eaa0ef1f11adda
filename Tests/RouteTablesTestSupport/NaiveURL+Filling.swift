// SPDX-License-Identifier: Apache-2.0
import TestSupport

extension NaiveURL {
  /// Returns a URL that a variant usually matches: its captures are filled, and sometimes a part is changed.
  static func filling(_ shape: NaiveShape, _ random: inout SeededGenerator) -> NaiveURL {
    var url = NaiveURL()
    url.spacesArePlus = random.oneIn(2)
    let pattern = shape.pattern
    func text(_ type: NaiveType, _ choices: [String], _ random: inout SeededGenerator) -> String {
      let fitting = choices.filter { type.matches($0) }
      return fitting.isEmpty || random.oneIn(12) ? random.pick(choices) : random.pick(fitting)
    }
    func fill(_ pieces: [NaivePattern.Piece], _ choices: [String], _ random: inout SeededGenerator) -> String
    {
      pieces.map { piece in
        switch piece {
        case .text(let text): return text
        case .choice(let texts): return random.pick(texts)
        case .hole(_, let type): return text(type, choices, &random)
        }
      }.joined()
    }
    func fill(_ places: [NaivePattern.ComponentMatcher], _ choices: [String], _ random: inout SeededGenerator)
      -> [String]
    {
      places.flatMap { place -> [String] in
        switch place {
        case .one(let pieces): return [fill(pieces, choices, &random)]
        case .rest(_, let type, _):
          return (0..<Int.random(in: 1...3, using: &random)).map { _ in text(type, choices, &random) }
        case .optional: return []
        }
      }
    }
    let words = ["a", "b", "7", "-1", "true", "ab", "A", "a/b", "h", "é"]
    url.scheme = pattern.scheme ?? random.pick(pattern.isRooted ? [nil, "a", "https"] : ["a", "b", "c"])
    url.isRooted = pattern.isRooted
    if pattern.hasHost {
      let hosts = ["h", "g", "a", "b", "7", "ab"]
      url.labels = fill(shape.labels, hosts, &random)
      if let least = shape.leastLabels {
        let more = (0..<Int.random(in: least...2, using: &random)).map { _ in random.pick(hosts) }
        url.labels = more + (url.labels ?? [])
      }
      if case .number(let port) = pattern.port {
        url.port = port
      } else {
        url.port = random.pick([nil, 8080])
      }
      url.user = pattern.user.map { fill($0, ["u", "v:w"], &random) }
      if url.labels?.isEmpty == true { (url.port, url.user) = (nil, nil) }
    } else if pattern.scheme == nil, pattern.isRooted, url.scheme != nil, random.oneIn(2) {
      url.labels = [random.pick(["h", "g"])]
    }
    url.segments = fill(shape.segments, words + [""], &random)
    if random.oneIn(10), !url.segments.isEmpty {
      url.segments[Int.random(in: 0..<url.segments.count, using: &random)] = random.pick(texts)
    }
    url.settle()
    let values = ["", "1", "x y", "a", "7", "-1", "+", "true"]
    for (key, test) in pattern.query.shuffled(using: &random) {
      switch test {
      case .absent: if random.oneIn(8) { url.query.append((key, nil)) }
      case .present: url.query.append((key, random.pick([nil, "1"])))
      case .value(let pieces): url.query.append((key, fill(pieces, values, &random)))
      case .list(_, let type, _):
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          url.query.append((key, text(type, values, &random)))
        }
      case .optional(_, let type, _):
        if random.oneIn(2) { url.query.append((key, text(type, values, &random))) }
      }
    }
    if random.oneIn(4) { url.query.append((random.pick(["k", "m+n"]), "1")) }
    switch pattern.fragment {
    case .value(let pieces)?: url.fragment = fill(pieces, ["", "f", "1", "a"], &random)
    case .optional(_, let type, _)?:
      url.fragment = random.oneIn(2) ? nil : text(type, ["", "f", "a"], &random)
    default: url.fragment = random.oneIn(6) ? "f" : nil
    }
    return url
  }
}
