/// The bytes of a URL that explanations do not show, since a secret may be in them.
///
/// Where a URL misses the route it was meant for, nobody can say where in it the secret stands. So of a URL that may be meant for a
/// route with secret captures only what some pattern of the table writes out is shown, and what cuts it: slashes, dots of the
/// host, marks of query and fragment, the port. A route may be meant by a URL of its scheme or of one that looks like it, and
/// by one without a scheme, or with one that is no route's.
///
/// ```swift
/// let mask = try table.secretMask(of: url)
/// let explanation = try other.explain(url, hiding: mask)   // what is secret to one table is hidden by another
/// ```
public struct SecretMask: Hashable, Sendable {
  /// What stands where a route that matches, or nearly does, has a secret capture.
  private var taken = ByteRanges()
  /// All that is hidden.
  private var hidden = ByteRanges()
  /// A route with secret captures for which the URL may be meant.
  let route: String?

  /// Hides nothing.
  public init() { route = nil }

  /// The runs of bytes, in their order, none of which touches another.
  public var ranges: [Range<Int>] { hidden.ranges }

  /// Hides what another mask hides, too.
  public mutating func formUnion(_ other: SecretMask) {
    for range in other.taken.ranges { taken.insert(range) }
    for range in other.hidden.ranges { hidden.insert(range) }
  }

  /// What the routes of a table have to hide of a URL.
  init(_ reading: DecodedURL, _ routes: RouteRecords, _ index: RouteIndex) {
    guard index.hasSecrets, let meant = Self.routeMeant(by: reading.scheme, routes, index) else {
      route = nil
      return
    }
    route = routes[meant].id
    var unwritten = reading.texts
    for (place, form) in index.forms.enumerated() {
      let route = routes[index.route(of: place)]
      let pattern = route.patterns[index.pattern(of: place)]
      form.removeWrittenTexts(of: pattern, from: &unwritten)
      guard !route.secretCaptures.isEmpty else { continue }
      let most = ExplanationSearch.mostMisses
      let fit = PatternComparison(reading, pattern, form, [], [:], mostMisses: most)
      guard fit.mismatchCount <= most else { continue }
      for range in fit.ranges(of: route.secretCaptures) { taken.insert(range) }
    }
    for range in reading.runs(of: unwritten) { hidden.insert(range) }
    for range in taken.ranges { hidden.insert(range) }
  }

  /// The first route with secret captures that a URL of a scheme may be meant for.
  private static func routeMeant(by scheme: String?, _ routes: RouteRecords, _ index: RouteIndex) -> Int? {
    // Without a scheme, or with one that is no route's, it may be meant for any.
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

  /// Whether some byte of a run is hidden.
  func hides(_ range: Range<Int>) -> Bool { hidden.overlaps(range) }

  /// A run of the URL, `…` in the place of what is hidden.
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

  /// The mended URL, and still nothing of what is hidden; `nil` where the mend would say what that is.
  func shown(_ url: String, _ mend: SuggestedEdit) -> String? {
    guard !taken.overlaps(mend.range), mend.isWritten || !hides(mend.range) else { return nil }
    return shown(0..<mend.range.lowerBound, of: url) + mend.text
      + shown(mend.range.upperBound..<url.utf8.count, of: url)
  }
}

extension RouteTable {
  /// What explanations by this table do not show of a URL.
  ///
  /// Throws what `match` throws for a text that is no URL.
  public func secretMask(of url: String) throws(RouteTableError) -> SecretMask {
    SecretMask(try DecodedURL(url), RouteRecords(self), storage.index)
  }
}

extension PatternComparison {
  /// Where captures of these names stand.
  fileprivate func ranges(of names: Set<String>) -> [Range<Int>] {
    let numbers = Set(pattern.captures.indices.filter { names.contains(pattern.captures[$0].name) })
    return capturedRanges.filter { !numbers.isDisjoint(with: $0.captures) }.map(\.range)
  }
}
