// SPDX-License-Identifier: Apache-2.0
import DBus
import HostNames
import RouteExplanations
import RouteTables

/// The explanation of a URL in a report, without the texts that logs do not show: user information, query and fragment.
struct ReportedURL {
  private let explanation: RouteExplanation
  /// The explained URL.
  private let text: String
  /// The URL without these texts.
  private let shown: String
  /// The number of bytes at the start of the URL that are shown.
  private let visible: Int

  /// Explains a URL; `nil` if the text is not a URL, or if a route of another table may declare a part of it secret.
  init?(_ url: String, in table: RouteTable<RouteAction>, beside others: [RouteTable<RouteAction>]) {
    // The context of a caller that nothing identifies.
    let context = [RouteCondition.Name.assurance: "unknown"]
    let written = (try? CorrectedURL(url).url.text) ?? url
    do {
      let compared = try ComparedURL(
        written, mappingHost: HostName.mappingHost, otherReadings: HostName.otherReadings)
      // The URL of the match has the mapped host if a route that denies or asks wins that host.
      let match = try table.match(compared, when: context, verified: nil)
      text = match?.url ?? compared.text
      for other in others where try other.explain(text, when: context, limit: 0).url != text { return nil }
      explanation = try table.explain(text, decidedBy: match, when: context, limit: 3).explanation
    } catch { return nil }
    shown = CoverageReport.shown(explanation.url)
    visible = explanation.url == text ? Self.visible(shown, of: text) : 0
  }

  /// Returns the number of bytes that a URL and its shown form have in common before the first omission.
  private static func visible(_ shown: String, of url: String) -> Int {
    // A sign of an omitted query follows a `?` or `#`, which is not shown itself in the URL.
    var prefix = shown.prefix { $0 != "…" }
    if prefix.endIndex != shown.endIndex, let last = prefix.last, "?#".contains(last) { prefix.removeLast() }
    return url.utf8.starts(with: prefix.utf8) ? prefix.utf8.count : 0
  }

  /// A Boolean value that indicates whether the complete URL is shown.
  private var isComplete: Bool { visible == text.utf8.count }

  /// The keys of `usher routes explain --json`.
  var entries: [String: Variant] {
    var entries = explanation.entries
    entries["url"] = .string(shown)
    if !isComplete { entries["notes"] = .strings([]) }
    if let winner = explanation.winner, var won = entries["winner"]?.entries {
      let hidden = winner.captures.filter { !isShown($0) }.map(\.capture.name)
      var captures = won["captures"]?.entries ?? [:]
      for name in hidden { captures[name] = nil }
      won["captures"] = .dictionary(captures)
      won["secret"] = hidden.isEmpty ? nil : .strings(hidden)
      entries["winner"] = .dictionary(won)
    }
    entries["near-misses"] = .dictionaries(
      zip(explanation.nearMisses, entries["near-misses"]?.dictionaries ?? []).map(reduced))
    return entries
  }

  /// Returns whether the value of a capture is in the shown part of the URL, or in the route.
  private func isShown(_ capture: ExplainedCapture) -> Bool {
    !capture.isSecret && (capture.isDefault || capture.ranges.allSatisfy { $0.upperBound <= visible })
  }

  /// Returns the keys of a near miss without the texts that are not shown.
  private func reduced(_ miss: NearMiss, _ entries: [String: Variant]) -> [String: Variant] {
    var entries = entries
    entries["mismatches"] = .dictionaries(
      zip(miss.mismatches, entries["mismatches"]?.dictionaries ?? []).map { mismatch, own in
        if let range = mismatch.range, range.upperBound > visible {
          return [
            "component": .string(mismatch.place.component),
            "message": .string("\(mismatch.place) does not match"),
          ]
        }
        return own
      })
    entries["did-you-mean"] = miss.suggestion.flatMap { suggestion in
      let shown = CoverageReport.shown(suggestion)
      return isComplete && shown == suggestion ? .string(suggestion) : nil
    }
    return entries
  }
}
