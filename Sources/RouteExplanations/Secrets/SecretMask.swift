// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// The bytes of a URL that explanations do not show because they may contain a secret.
///
/// If a URL does not match the intended route, the position of its secret is unknown. If a route with secret captures may
/// be the intended one, only literal texts of the table's patterns and delimiters are shown: slashes, dots of the host, the
/// marks of query and fragment, and the port. A route may be the intended one if the URL has its scheme, a similar scheme,
/// no scheme, or a scheme that no route has.
///
/// ```swift
/// let mask = try table.secretMask(of: url)
/// let explanation = try other.explain(url, hiding: mask)   // what is secret to one table is hidden by another
/// ```
public struct SecretMask: Hashable, Sendable {
  /// The ranges of secret captures of routes that match or nearly match.
  private var taken = ByteRanges()
  /// All hidden ranges.
  private var hidden = ByteRanges()
  /// The ID of a route with secret captures that may be the intended one; `nil` if there is none.
  let route: String?

  /// Creates a mask that hides nothing.
  public init() { route = nil }

  /// The hidden byte ranges, sorted; no two of them overlap or touch.
  public var ranges: [Range<Int>] { hidden.ranges }

  /// Adds the hidden ranges of another mask.
  public mutating func formUnion(_ other: SecretMask) {
    for range in other.taken.ranges { taken.insert(range) }
    for range in other.hidden.ranges { hidden.insert(range) }
  }

  /// Creates the mask of a URL for the routes of a table.
  init(_ reading: DecodedURL, routes: RouteRecords, index: RouteIndex) {
    guard index.hasSecrets, let meant = Self.routeMeant(by: reading.scheme, routes: routes, index: index)
    else {
      route = nil
      return
    }
    route = routes[meant].id
    var unwritten = reading.texts
    for place in 0..<index.variantCount {
      let route = routes[index.route(of: place)]
      let pattern = route.patterns[index.pattern(of: place)]
      let form = index.form(at: place, of: pattern)
      form.removeWrittenTexts(of: pattern, from: &unwritten)
      guard !route.secretCaptures.isEmpty else { continue }
      let most = ExplanationSearch.maxMismatches
      let fit = PatternComparison(
        reading, pattern: pattern, form: form, conditions: [], context: [:], maxMismatches: most)
      guard fit.mismatchCount <= most else { continue }
      for range in fit.ranges(of: route.secretCaptures) { taken.insert(range) }
    }
    for range in reading.runs(of: unwritten) { hidden.insert(range) }
    for range in taken.ranges { hidden.insert(range) }
  }

  /// Returns the first route with secret captures that may be intended by a URL with this scheme; `nil` if there is none.
  private static func routeMeant(by scheme: String?, routes: RouteRecords, index: RouteIndex) -> Int? {
    // Without a scheme, or with one that no route has, any route may be intended.
    let own = scheme.flatMap { scheme in
      index.stretches.contains { ($0.scheme ?? scheme) == scheme } ? scheme : nil
    }
    let meant = index.stretches.filter { stretch in
      guard let own, let other = stretch.scheme, own != other else { return true }
      return EditDistance.looksAlike(Array(other.utf8), Array(own.utf8))
    }
    return meant.lazy.flatMap(\.places).map(index.route(of:)).filter { !routes[$0].secretCaptures.isEmpty }
      .min()
  }

  /// Returns whether a byte of the range is hidden.
  func hides(_ range: Range<Int>) -> Bool { hidden.overlaps(range) }

  /// Returns a range of the URL, with `…` in place of each hidden range.
  func shown(_ range: Range<Int>, of url: String) -> String {
    let bytes = Array(url.utf8)
    var shown: [UInt8] = []
    var isHidden = false
    var left = ranges[...]
    for position in range.clamped(to: 0..<bytes.count) {
      while let first = left.first, first.upperBound <= position { left.removeFirst() }
      let hides = left.first?.contains(position) == true
      if hides, !isHidden { shown += Array("…".utf8) }
      if !hides { shown.append(bytes[position]) }
      isHidden = hides
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Returns the URL after an edit, with hidden ranges masked.
  ///
  /// Returns `nil` if the edit would reveal a hidden text.
  func shown(_ url: String, _ edit: SuggestedEdit) -> String? {
    guard !taken.overlaps(edit.range), edit.isWritten || !hides(edit.range) else { return nil }
    return shown(0..<edit.range.lowerBound, of: url) + edit.text
      + shown(edit.range.upperBound..<url.utf8.count, of: url)
  }
}

extension RouteTable {
  /// Returns the mask of a URL for the secret captures of this table.
  ///
  /// Throws the error of `match` if the text is not a URL.
  public func secretMask(of url: String) throws(RouteTableError) -> SecretMask {
    SecretMask(try DecodedURL(url), routes: RouteRecords(self), index: storage.index)
  }
}

extension PatternComparison {
  /// Returns the ranges of the captures with these names.
  fileprivate func ranges(of names: Set<String>) -> [Range<Int>] {
    let numbers = Set(pattern.captures.indices.filter { names.contains(pattern.captures[$0].name) })
    return capturedRanges.filter { !numbers.isDisjoint(with: $0.captures) }.map(\.range)
  }
}
