// SPDX-License-Identifier: Apache-2.0
import RouteExplanations
import RouteTables

/// The explanations of one URL by the routes of every layer.
struct LayerExplanations {
  private let byLayer: [(owner: RouteLayer.Owner, reported: RouteExplanation)]
  /// The URL: as it was requested, or with `…` for the parts that a route declares secret.
  let url: String
  /// A Boolean value that indicates whether a part of the URL is hidden.
  let hidesPart: Bool

  /// The maximum number of near misses, or of routes that lost, for one layer.
  private static let most = 3

  /// Creates the explanations of a URL by each layer.
  ///
  /// - Parameters:
  ///   - original: The URL as it was requested.
  ///   - context: Returns the condition values for a table.
  init(
    _ url: String, of original: String, _ layers: [RouteLayer],
    context: (RouteTable<RouteAction>) -> [String: String]
  ) {
    // A part that one layer declares secret must not appear in the explanations of another.
    var mask = SecretMask()
    for layer in layers {
      if let own = try? layer.table.secretMask(of: url) { mask.formUnion(own) }
    }
    byLayer = layers.compactMap { layer in
      let reported = try? layer.deciding.explain(
        url, when: context(layer.deciding), limit: Self.most, hiding: mask)
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

  /// Returns a URL that cannot be parsed in a form that may be shown.
  ///
  /// If a route has secret captures, only the scheme is shown, because the positions of the secrets are unknown.
  private static func unreadable(_ url: String, _ layers: [RouteLayer]) -> String {
    let mayHoldSecret = layers.contains { $0.table.routes.contains { !$0.secretCaptures.isEmpty } }
    return mayHoldSecret ? "\(String(url.unicodeScalars.prefix { $0 != ":" })):…" : url
  }

  /// Returns whether a route is the one that wins in the explanation of its layer.
  func selects(_ route: Route<RouteAction>, in owner: RouteLayer.Owner) -> Bool {
    let winner = byLayer.first { $0.owner == owner }?.reported.winner?.route
    return winner?.id == route.id && winner?.owner == route.owner && winner?.rank == route.rank
  }

  /// Returns the reasons why the winning route of a layer precedes its other routes and those of later layers.
  func reasons(in owner: RouteLayer.Owner) -> [String] {
    guard let index = byLayer.firstIndex(where: { $0.owner == owner }),
      let winner = byLayer[index].reported.winner?.route
    else { return [] }
    let losers = byLayer[index].reported.losers
    var reasons = losers.prefix(Self.most).map { "over \($0.route): \($0.rule)" }
    if losers.count > Self.most { reasons.append("over \(losers.count - Self.most) more of this layer") }
    for (owner, reported) in byLayer[(index + 1)...] {
      guard let other = reported.winner?.route else { continue }
      let rule = PrecedenceRule.layer(winner.rank, over: owner.rank(isFinal: false))
      reasons.append("over the \(owner.rawValue)'s \(other): \(rule)")
    }
    return reasons + nearMisses(in: owner)
  }

  /// The maximum number of routes that lost, for programs.
  private static let mostLosers = 20

  /// Returns the routes over which the winning route of a layer wins, and those that nearly match.
  func routesBeside(winnerIn owner: RouteLayer.Owner) -> [InvolvedRoute] {
    guard let index = byLayer.firstIndex(where: { $0.owner == owner }),
      let winner = byLayer[index].reported.winner?.route
    else { return [] }
    var losers = byLayer[index].reported.losers.map { ($0.route, $0.rule) }
    for (owner, reported) in byLayer[(index + 1)...] {
      guard let other = reported.winner?.route else { continue }
      losers.append((other, .layer(winner.rank, over: owner.rank(isFinal: false))))
    }
    let routes = losers.prefix(Self.mostLosers).map { route, rule in
      InvolvedRoute(route, as: .loser(rule: rule.name, sentence: rule.description))
    }
    return routes + routesNearlyMatching(in: owner)
  }

  /// Returns the routes of a layer that nearly match, or that would have preceded the matching one, each with the reason.
  func routesNearlyMatching(in owner: RouteLayer.Owner) -> [InvolvedRoute] {
    guard let reported = byLayer.first(where: { $0.owner == owner })?.reported else { return [] }
    return reported.nearMisses.map { InvolvedRoute($0.route, as: .nearMiss(sentence: Self.sentence(of: $0))) }
  }

  private static func sentence(of miss: NearMiss) -> String {
    let mismatches = miss.mismatches.map(\.description).joined(separator: ", and ")
    return mismatches + (miss.suggestion.map { "; did you mean \($0)?" } ?? "")
  }

  /// Returns the routes of a layer that nearly match, or that would have preceded the matching one.
  func nearMisses(in owner: RouteLayer.Owner) -> [String] {
    guard let reported = byLayer.first(where: { $0.owner == owner })?.reported else { return [] }
    var lines = reported.nearMisses.map { "not \($0.route): \(Self.sentence(of: $0))" }
    if reported.furtherNearMisses > 0 {
      let count = reported.furtherNearMisses
      lines.append("\(count) more \(count == 1 ? "route nearly matches" : "routes nearly match")")
    }
    return lines
  }

  /// The notes on the normalization of the URL that are relevant to a layer.
  var notes: [String] {
    var notes: [String] = []
    for note in byLayer.flatMap(\.reported.notes).map(\.description) where !notes.contains(note) {
      notes.append(note)
    }
    return notes
  }
}
