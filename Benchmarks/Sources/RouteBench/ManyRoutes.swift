// SPDX-License-Identifier: Apache-2.0
internal import Racing

/// Tables with a given number of routes.
enum ManyRoutes {
  /// Returns `count` routes, by repeating the given ones under further hosts.
  static func hosts(_ routes: [SampleRoute], count: Int) -> [SampleRoute] {
    (0..<count).map { number in
      let route = routes[number % routes.count]
      let base = "https://host\(number / routes.count).example"
      return SampleRoute(pattern: base + route.untyped, url: base + route.url)
    }
  }

  /// Returns different routes of one to six segments, a third of which are captures, under 500 hosts.
  static func random(count: Int) -> [SampleRoute] {
    var random = RandomSource(seed: 3)
    let (words, hosts) = (random.words(3_000), random.words(500))
    var shapes: Set<String> = []
    var routes: [SampleRoute] = []
    while routes.count < count {
      var (pattern, url, shape) = ("https://", "https://", "")
      let host = hosts[Int.random(in: 0..<hosts.count, using: &random)] + ".example"
      pattern += host
      url += host
      for place in 0..<Int.random(in: 1...6, using: &random) {
        let word = words[Int.random(in: 0..<words.count, using: &random)]
        let isCapture = Int.random(in: 0..<3, using: &random) == 0
        pattern += isCapture ? "/{c\(place)}" : "/" + word
        url += "/" + word
        shape += isCapture ? "/" : "/" + word
      }
      if shapes.insert(host + shape).inserted { routes.append(SampleRoute(pattern: pattern, url: url)) }
    }
    return routes
  }
}
