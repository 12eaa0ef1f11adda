// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

extension IndexEncoder {
  mutating func add(_ shape: RouteVariant) {
    var own = MatchVariant(
      route: UInt32(truncatingIfNeeded: shape.route), pattern: UInt32(truncatingIfNeeded: shape.pattern))
    own.tests = UInt32(truncatingIfNeeded: tests.count)
    own.testCount = UInt16(truncatingIfNeeded: shape.tests.count)
    own.conditionCount = UInt16(truncatingIfNeeded: shape.conditions.count)
    own.hasFragment = shape.fragment != nil
    own.hasLiteralPlus = shape.hasLiteralPlus
    own.excludesSchemes = !shape.shape.excludedSchemes.isEmpty
    for test in shape.tests {
      let key = keys[test.key] ?? UInt32(truncatingIfNeeded: keys.count + 1)
      keys[test.key] = key
      switch test.kind {
      case .absent: tests.append(MatchTest(kind: .absent, key: key, value: 0))
      case .present: tests.append(MatchTest(kind: .present, key: key, value: 0))
      case .first(let place): tests.append(self.test(place, key: key))
      case .each(let number):
        tests.append(MatchTest(kind: .each, key: key, value: UInt32(truncatingIfNeeded: number)))
      }
    }
    if let fragment = shape.fragment { tests.append(test(fragment, key: 0)) }
    for condition in shape.conditions {
      let name = conditions.firstIndex(of: condition.name) ?? conditions.count
      if name == conditions.count { conditions.append(condition.name) }
      tests.append(
        MatchTest(
          kind: .condition, key: UInt32(truncatingIfNeeded: name),
          value: UInt32(truncatingIfNeeded: condition.language)))
    }
    let pattern = routes[shape.route].patterns[shape.pattern]
    if !pattern.captures.isEmpty {
      for item in pattern.query where keys[item.key] == nil {
        keys[item.key] = UInt32(truncatingIfNeeded: keys.count + 1)
      }
      own.isJoined = shape.shape.opening == .joinedPath
      own.captureCount = UInt8(truncatingIfNeeded: pattern.captures.count)
      let steps = Self.steps(of: shape.shape, pattern: pattern, &tree.languages, keys: keys)
      // Neighboring variants mostly have equal captures.
      if !captureSteps[lastCaptures...].elementsEqual(steps)
        || !captureNames[lastCaptures...].elementsEqual(pattern.captures.lazy.map(\.name))
      {
        lastCaptures = captureSteps.count
        captureSteps += steps
        captureNames += pattern.captures.lazy.map(\.name)
      }
      own.captures = UInt32(truncatingIfNeeded: lastCaptures)
      if !own.isJoined { (own.segmentCount, own.segments) = Self.segments(steps) }
    }
    shapes.append(own)
  }

  /// Returns the number of leading captures that are segments, and the numbers of those segments, one per byte.
  private static func segments(_ steps: [CaptureStep]) -> (count: UInt8, segments: UInt64) {
    var (count, segments): (UInt8, UInt64) = (0, 0)
    for step in steps.prefix(FoundRoute.reported) {
      guard step.kind == .segment, step.number <= 0xFF else { break }
      segments |= UInt64(step.number) << UInt64(count * 8)
      count += 1
    }
    return (count, segments)
  }

  mutating func test(_ place: ComponentMatcher, key: UInt32) -> MatchTest {
    switch place {
    case .literal(let bytes), .folded(let bytes):
      let start = add(bytes) + 4
      let isShort = bytes.count <= SegmentKey.longest
      let needsDecoding = bytes.contains { " +%".utf8.contains($0) }
      return MatchTest(
        kind: isShort && !needsDecoding ? .shortText : .text, key: key, value: start,
        length: UInt32(truncatingIfNeeded: bytes.count), text: SegmentKeyReader.key(bytes))
    case .language(let number):
      return MatchTest(kind: .first, key: key, value: UInt32(truncatingIfNeeded: number))
    }
  }

  mutating func add(_ language: RegularLanguage) {
    let automaton = language.automaton
    let classes = automata.count
    automata += automaton.classes.ascii
    // A second table marks `%`, `+` and all non-ASCII bytes as encoded, because they may need decoding.
    automata += automaton.classes.ascii.enumerated().map { character, number in
      "%+".utf8.contains(UInt8(character)) ? MatchLanguage.encoded : number
    }
    automata += [UInt16](repeating: MatchLanguage.encoded, count: 128)
    let transitions = automata.count
    automata += automaton.transitions
    let accepting = automata.count
    automata += automaton.isAccepting.map { $0 ? 1 : 0 }
    let start = runs.count
    for run in automaton.classes.runs where run.range.upperBound >= 128 {
      runs += [run.range.lowerBound, run.range.upperBound, UInt32(run.number)]
    }
    languages.append(
      MatchLanguage(
        classes: UInt32(truncatingIfNeeded: classes),
        classCount: UInt32(truncatingIfNeeded: automaton.classes.count),
        transitions: UInt32(truncatingIfNeeded: transitions),
        accepting: UInt32(truncatingIfNeeded: accepting),
        runs: UInt32(truncatingIfNeeded: start),
        runCount: UInt32(truncatingIfNeeded: (runs.count - start) / 3),
        accepted: UInt32(truncatingIfNeeded: automaton.accepted)))
  }
}
