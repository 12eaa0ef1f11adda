// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// The URLs of which a route of any layer declares a part secret, whatever the conditions of the route are.
///
/// Logs, the history and the monitor leave out the path of such a URL.
struct SecretURLs: Sendable {
  private let patterns: RouteGap

  /// Collects the patterns with secret captures; `nil` if there are none.
  init?(of layers: [RouteLayer]) {
    let patterns = layers.flatMap(\.table.routes).filter { !$0.secretCaptures.isEmpty }.flatMap(\.patterns)
    guard !patterns.isEmpty else { return nil }
    self.patterns = RouteGap(
      .patterns(patterns), isFinal: false, location: SourceLocation(file: "", line: 1), reason: "")
  }

  /// Returns whether a route may declare a part of `url` secret.
  func mayContain(_ url: URLString) -> Bool {
    guard let normalized = try? NormalizedURL(url) else { return true }
    return patterns.mayCover(normalized.compared, normalized.authority)
  }
}
