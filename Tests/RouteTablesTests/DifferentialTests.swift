import Testing

@testable import RouteTables

@Suite struct DifferentialTests {
  /// 1,500 tables of up to 16 routes, 12 URLs each: the index and the definition agree, captures included.
  @Test(arguments: 1...6)
  func indexAndNaiveMatcherAgree(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var hits = 0
    for _ in 0..<250 {
      var builder = RouteTableBuilder<Int>()
      for id in 0..<Int.random(in: 1...16, using: &random) {
        try builder.add(Self.pattern(&random), id: "r\(id)", action: id)
      }
      let table = builder.buildSettingAside().table
      let naive = NaiveMatcher(patterns: table.routes.map { ($0.id, $0.patterns[0]) })
      for _ in 0..<12 {
        let model = naive.patterns.isEmpty || random.oneIn(4) ? nil : random.pick(naive.patterns).pattern
        let url = model.map { NaiveURL.filling($0, &random) } ?? NaiveURL.random(&random)
        let text = url.text(&random)
        let found = try table.match(text)
        let expected = naive.match(url)
        hits += found == nil ? 0 : 1
        let captures = found.map { match in
          Dictionary(uniqueKeysWithValues: match.values.map { ($0.name, $0.value.description) })
        }
        guard found?.route.id == expected?.id, captures == expected?.captures else {
          Issue.record(
            "\(text): \(found?.route.id ?? "none") \(captures ?? [:]), by definition \(String(describing: expected)) among \(naive.patterns)"
          )
          return
        }
      }
    }
    #expect(hits > 1_000, "the alphabet is small enough that routes are hit")
  }

  /// The order in which routes are added never decides.
  @Test func orderHasNoMeaning() throws {
    var random = SeededGenerator(seed: 99)
    for _ in 0..<100 {
      let patterns = (0..<10).map { (id: "r\($0)", text: Self.pattern(&random)) }
      var builders = [RouteTableBuilder<Int>(), RouteTableBuilder<Int>()]
      for (id, text) in patterns { try builders[0].add(text, id: id, action: 0) }
      for (id, text) in patterns.shuffled(using: &random) { try builders[1].add(text, id: id, action: 0) }
      let tables = builders.map { $0.buildSettingAside().table }
      for _ in 0..<10 {
        let url = NaiveURL.random(&random).text(&random)
        #expect(try tables[0].match(url)?.route.id == tables[1].match(url)?.route.id)
      }
    }
  }

  /// A random pattern over the alphabet of `NaiveURL`.
  static func pattern(_ random: inout SeededGenerator) -> String {
    var names = 0
    func hole(_ random: inout SeededGenerator, _ suffixes: [String]) -> String {
      names += 1
      return "{c\(names)\(random.pick(["", "", ":int", ":uint"]))\(random.pick(suffixes))}"
    }
    var text = ""
    var isRooted = true
    if !random.oneIn(5) {
      text = random.pick(["a:", "https:"])
      if !random.oneIn(4) {
        let labels = (0..<Int.random(in: 0...2, using: &random)).map { _ in
          random.oneIn(3) ? hole(&random, [""]) : random.pick(["h", "g"])
        }
        text += "//" + labels.joined(separator: ".")
        if !labels.isEmpty, random.oneIn(4) { text += random.pick([":443", ":8080"]) }
      } else {
        isRooted = random.oneIn(2)
      }
    }
    if isRooted { text += "/" }
    text += (0..<Int.random(in: 1...3, using: &random)).map { _ in
      random.oneIn(2) ? hole(&random, [""]) : random.pick(["a", "b", "7", "é", "a%2Fb"])
    }.joined(separator: "/")
    var keys = ["k", "l", "m+n"]
    for index in 0..<Int.random(in: 0...2, using: &random) {
      text += index == 0 ? "?" : "&"
      text += keys.remove(at: Int.random(in: 0..<keys.count, using: &random))
      text += random.pick(["", "=", "=1", "=x%20y"] + (0..<4).map { _ in "=" + hole(&random, ["", "?"]) })
    }
    if random.oneIn(3) { text += "#" + random.pick(["f", "", hole(&random, ["", "?"])]) }
    return text
  }
}
