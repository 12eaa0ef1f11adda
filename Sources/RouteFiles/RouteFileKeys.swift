/// The keys of route files, those of this version and those that a later one carries out.
enum RouteFileKeys {
  /// The keys of one kind of table.
  struct Table {
    let known: [String]
    let later: [String]

    /// Why `key` is refused, or `nil` if it is known.
    func refusal(of key: String) -> (kind: RouteFileComplaint.Kind, message: String)? {
      if known.contains(key) { return nil }
      if later.contains(key) {
        return (.notInThisVersion, "`\(key)` is not in this version of the route files: take it out")
      }
      let nearest = (known + later).min { $0.distance(to: key) < $1.distance(to: key) }
      return (.shape, "there is no key `\(key)`; the nearest is `\(nearest ?? "")`")
    }
  }

  private static let options = ["authority", "case", "crossing", "plus", "slash"]

  static let file = Table(known: ["format", "owner", "route"], later: ["group", "types"] + options)

  static let actions = ["handler", "open", "allow", "deny"]

  static let route = Table(
    known: ["match"] + actions + ["tests"],
    later: ["ask", "exec", "final", "perform", "remember", "rewrite", "source", "target", "wins_over"]
      + options)

  static let tests = Table(known: ["yes", "no"], later: [])
}

extension String {
  /// How many letters have to be put in, taken out or changed: Levenshtein's distance.
  func distance(to other: String) -> Int {
    let (own, others) = (Array(utf8.prefix(64)), Array(other.utf8.prefix(64)))
    var row = Array(0...others.count)
    for (index, byte) in own.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, candidate) in others.enumerated() {
        let change = diagonal + (byte == candidate ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(change, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[others.count]
  }
}
