import RouteTables

/// What the routes of every layer say of one URL, and why: for who asks, beside the decision.
struct LayerExplanations {
  private let byLayer: [(owner: RouteLayer.Owner, reported: RouteExplanation)]
  /// The URL as it came, or as it is read with `…` in the place of what may be secret to some route.
  let url: String
  /// Whether something of it is not shown.
  let hidesPart: Bool

  /// The most that is told of what nearly matches, or comes second, in one layer.
  private static let most = 3

  /// Asks each layer about the URL that came as `original`; `context` is what its routes ask about the request.
  init(
    _ url: String, of original: String, _ layers: [RouteLayer],
    context: (RouteTable<RouteAction>) -> [String: String]
  ) {
    // What is secret to one layer is not shown by another.
    var mask = SecretMask()
    for layer in layers {
      if let own = try? layer.table.secretMask(of: url) { mask.formUnion(own) }
    }
    byLayer = layers.compactMap { layer in
      let reported = try? layer.table.explain(
        url, when: context(layer.table), limit: Self.most, hiding: mask)
      return reported.map { (layer.owner, $0) }
    }
    if let reported = byLayer.first?.reported {
      hidesPart = !mask.ranges.isEmpty
      self.url = hidesPart ? reported.url : original
    } else {
      self.url = Self.unreadable(original, layers)
      hidesPart = self.url != original
    }
  }

  /// A URL that cannot be read, of which nobody knows what stands where.
  private static func unreadable(_ url: String, _ layers: [RouteLayer]) -> String {
    let mayHoldSecret = layers.contains { $0.table.routes.contains { !$0.secretCaptures.isEmpty } }
    return mayHoldSecret ? "\(url.prefix { $0 != ":" }):…" : url
  }

  /// Why a layer's own route came first: the rules over its other routes, and over those of later layers.
  func reasons(in owner: RouteLayer.Owner) -> [String] {
    guard let place = byLayer.firstIndex(where: { $0.owner == owner }),
      let winner = byLayer[place].reported.winner?.route
    else { return [] }
    let losers = byLayer[place].reported.losers
    var reasons = losers.prefix(Self.most).map { "over \($0.route): \($0.rule)" }
    if losers.count > Self.most { reasons.append("over \(losers.count - Self.most) more of the same layer") }
    for (owner, reported) in byLayer[(place + 1)...] {
      guard let other = reported.winner?.route else { continue }
      let rule = PrecedenceRule.layer(winner.rank, over: owner.rank(isFinal: false))
      reasons.append("over the \(owner.rawValue)'s \(other): \(rule)")
    }
    return reasons + nearMisses(in: owner)
  }

  /// The routes of a layer that nearly match, or would have come before the one that does.
  func nearMisses(in owner: RouteLayer.Owner) -> [String] {
    guard let reported = byLayer.first(where: { $0.owner == owner })?.reported else { return [] }
    var lines = reported.nearMisses.map { miss in
      let faults = miss.faults.map(\.description).joined(separator: ", and ")
      let suggestion = miss.suggestion.map { "; did you mean \($0) ?" } ?? ""
      return "not \(miss.route): \(faults)\(suggestion)"
    }
    if reported.furtherNearMisses > 0 {
      lines.append("not \(reported.furtherNearMisses) more that nearly match")
    }
    return lines
  }

  /// What should be known about how the URL was read, where that mattered to some layer.
  var notes: [String] {
    var notes: [String] = []
    for note in byLayer.flatMap(\.reported.notes).map(\.description) where !notes.contains(note) {
      notes.append(note)
    }
    return notes
  }
}
