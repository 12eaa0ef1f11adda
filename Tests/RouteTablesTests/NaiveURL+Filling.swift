@testable import RouteTables

extension NaiveURL {
  /// A URL that `pattern` nearly always matches: its holes are filled, and now and then something is changed.
  static func filling(_ pattern: RoutePattern, _ random: inout SeededGenerator) -> NaiveURL {
    var url = NaiveURL()
    func fill(_ part: RoutePattern.Part, _ choices: [String], _ random: inout SeededGenerator) -> String {
      if case .literal(let bytes) = part { return String(decoding: bytes, as: UTF8.self) }
      return random.pick(choices + ["7", "-1", "8"])
    }
    url.scheme = pattern.scheme ?? random.pick([nil, "a", "https"])
    url.isRooted = pattern.isRooted
    if let authority = pattern.authority {
      url.labels = authority.labels.map { fill($0, ["h", "g"], &random) }
      url.port = authority.port.map(Int.init)
    } else if pattern.scheme == nil, url.scheme != nil, random.oneIn(2) {
      url.labels = [random.pick(["h", "g"])]
    }
    url.segments = pattern.segments.map { fill($0, ["a", "b", "a/b"], &random) }
    if url.labels == nil, url.segments.first?.isEmpty == true { url.segments[0] = "a" }
    for item in pattern.query.shuffled(using: &random) where item.isRequired || random.oneIn(2) {
      let value = item.value.map { fill($0, ["", "1", "x y"], &random) }
      url.query.append((String(decoding: item.key, as: UTF8.self), value ?? random.pick([nil, "1"])))
    }
    if random.oneIn(4) { url.query.append(("k", "1")) }
    if let fragment = pattern.fragment, fragment.capture?.isOptional != true || random.oneIn(2) {
      url.fragment = fill(fragment, ["", "f"], &random)
    }
    return url
  }
}
