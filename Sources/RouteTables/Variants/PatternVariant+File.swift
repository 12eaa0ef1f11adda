// SPDX-License-Identifier: Apache-2.0
extension PatternVariant {
  /// Converts a variant of the scheme `file` to the form that `FileNormalForm` gives to URLs.
  ///
  /// `file:/x` and `file://localhost/x` become `file:///x`, and empty segments are removed.
  mutating func normalizeFile() {
    if opening == .rootedPath { opening = .host }
    if opening == .host, hostRest == nil, labels == [.literal(Array("localhost".utf8))] { labels = [] }
    guard opening == .host, labels.isEmpty, hostRest == nil else { return }
    segments.removeAll { $0.literal?.isEmpty == true }
    if segments.isEmpty { segments = [PatternPart()] }
  }
}
