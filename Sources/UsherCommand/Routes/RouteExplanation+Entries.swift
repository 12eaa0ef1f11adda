// SPDX-License-Identifier: Apache-2.0
import RouteExplanations
import BusInterfaces
import DBus
import RouteTables

extension RouteExplanation {
  /// The keys: `url` s, `winner` a{sv}, `losers` aa{sv}, `near-misses` aa{sv}, `further-near-misses` x, `reason` s, `notes` as.
  var entries: [String: Variant] {
    var entries: [String: Variant] = [
      "url": .string(url), "losers": .dictionaries(losers.map(\.entries)),
      "near-misses": .dictionaries(nearMisses.map(\.entries)),
      "further-near-misses": .int64(Int64(furtherNearMisses)), "notes": .strings(notes.map(\.description)),
    ]
    entries["winner"] = winner.map { .dictionary($0.entries) }
    entries["reason"] = reach.map { .string(sentence(of: $0)) }
    return entries
  }
}

extension RouteExplanation.Winner {
  /// The keys of the route, `captures` a{sv} without secret ones, and the names of the secret ones, `secret` as.
  fileprivate var entries: [String: Variant] {
    var entries = route.entries
    let shown = captures.compactMap { own in own.value.map { (own.capture.name, $0) } }
    entries["captures"] = .dictionary(Dictionary(shown) { $1 })
    let secret = captures.filter(\.isSecret).map(\.capture.name)
    entries["secret"] = secret.isEmpty ? nil : .strings(secret)
    return entries
  }
}

extension ExplainedCapture {
  /// The value of the capture's type; for a catch-all, its text.
  fileprivate var value: Variant? {
    guard let text else { return nil }
    return capture.extent == .single ? capture.type.value(of: text)?.variant : .string(text)
  }
}

extension RouteExplanation.Loser {
  fileprivate var entries: [String: Variant] {
    route.entries.merging(["rule": .string(rule.name), "message": .string(rule.description)]) { $1 }
  }
}

extension NearMiss {
  fileprivate var entries: [String: Variant] {
    var entries = route.entries
    entries["mismatches"] = .dictionaries(mismatches.map(\.entries))
    entries["did-you-mean"] = suggestion.map { .string($0) }
    return entries
  }
}

extension RouteMismatch {
  /// The keys for JSON: `component` s, `start` x and `end` x as byte offsets, `found` s, `message` s.
  fileprivate var entries: [String: Variant] {
    var entries: [String: Variant] = [
      "component": .string(place.component), "message": .string(description),
    ]
    entries["start"] = range.map { .int64(Int64($0.lowerBound)) }
    entries["end"] = range.map { .int64(Int64($0.upperBound)) }
    entries["found"] = found.map { .string($0) }
    return entries
  }
}

extension ExplainedRoute {
  /// The keys for JSON: `route` s, `owner` s, `pattern` s, and `file`, `line`, `column`.
  fileprivate var entries: [String: Variant] {
    var entries = location.entries
    entries["route"] = .string(id)
    entries["owner"] = .string(owner)
    entries["pattern"] = .string(pattern.description)
    return entries
  }
}
