/// A URL as values that were never text: what the naive matcher sees.
///
/// Its text is written in random disguise.
struct NaiveURL {
  var scheme: String?
  var labels: [String]?
  var port: Int?
  var isRooted = true
  var segments: [String] = []
  var query: [(key: String, value: String?)] = []
  var fragment: String?

  /// A random URL over a small alphabet, so that routes are hit.
  static func random(_ random: inout SeededGenerator) -> NaiveURL {
    var url = NaiveURL()
    if !random.oneIn(6) {
      url.scheme = random.pick(["a", "https"])
      if !random.oneIn(4) {
        url.labels = (0..<Int.random(in: 0...2, using: &random)).map { _ in random.pick(["h", "g", "7"]) }
        if url.labels?.isEmpty == false, random.oneIn(4) { url.port = random.pick([443, 8080]) }
      } else {
        url.isRooted = random.oneIn(2)
      }
    }
    let count = Int.random(in: 1...3, using: &random)
    url.segments = (0..<count).map { _ in
      random.pick(["a", "b", "7", "-1", "é", "a/b", "", "18446744073709551615"])
    }
    // Without an authority `//` at the beginning would start one; a bare path would begin with a scheme.
    if url.labels == nil, url.segments[0].isEmpty { url.segments[0] = "a" }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      url.query.append((random.pick(["k", "l", "m n"]), random.pick([nil, "", "1", "x y", "-1"])))
    }
    if random.oneIn(3) { url.fragment = random.pick(["", "f", "1"]) }
    return url
  }

  /// The URL as text; anything that may be encoded sometimes is, and cases vary where they do not matter.
  func text(_ random: inout SeededGenerator) -> String {
    var text = ""
    if let scheme { text += (random.oneIn(3) ? scheme.uppercased() : scheme) + ":" }
    if let labels {
      text +=
        "//" + labels.map { random.oneIn(3) ? $0.uppercased() : encode($0, &random) }.joined(separator: ".")
      if let port { text += ":" + (random.oneIn(3) ? "0" : "") + String(port) }
    }
    let path = segments.map { encode($0, &random) }.joined(separator: "/")
    if isRooted {
      text += random.oneIn(6) && labels != nil ? "/gone/%2E." : ""
      text += labels != nil && segments == [""] && random.oneIn(2) && !text.hasSuffix(".") ? "" : "/"
    }
    text += path
    if !query.isEmpty { text += "?" }
    text += query.map { encode($0.key, &random) + ($0.value.map { "=" + encode($0, &random) } ?? "") }
      .joined(separator: random.oneIn(4) ? "&&" : "&")
    if let fragment { text += "#" + encode(fragment, &random) }
    return text
  }

  private func encode(_ value: String, _ random: inout SeededGenerator) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      let isPlain = scalar != " " && scalar != "/"
      if isPlain, !random.oneIn(4) {
        text.unicodeScalars.append(scalar)
      } else {
        for byte in String(scalar).utf8 {
          let hex = String(byte, radix: 16, uppercase: random.oneIn(2))
          text += "%" + (hex.count < 2 ? "0" : "") + hex
        }
      }
    }
    return text
  }
}
