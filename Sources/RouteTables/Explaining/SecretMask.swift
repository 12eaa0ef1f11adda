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
  init(_ reading: URLReading, _ routes: [RouteRecord], _ index: RouteIndex) {
    let secrets = routes.indices.filter { !routes[$0].secretCaptures.isEmpty }
    // Without a scheme, or with one that is no route's, it may be meant for any.
    let own = reading.scheme.flatMap { scheme in
      routes.contains { $0.patterns.contains { $0.mayMatch(scheme: scheme) } } ? scheme : nil
    }
    let meant = secrets.first { number in own.map { routes[number].mayBeMeant(by: $0) } ?? true }
    route = meant.map { routes[$0].id }
    guard route != nil else { return }
    var written: Set<[UInt8]> = []
    for (place, form) in index.forms.enumerated() {
      let route = routes[index.route(of: place)]
      let pattern = route.patterns[index.pattern(of: place)]
      form.addWrittenTexts(of: pattern, to: &written)
      guard !route.secretCaptures.isEmpty else { continue }
      let most = ExplanationSearch.mostMisses
      let fit = ShapeFit(reading, pattern, form, [], [:], mostMisses: most)
      guard fit.misses <= most else { continue }
      for range in fit.ranges(of: route.secretCaptures) { taken.insert(range) }
    }
    for range in reading.unwritten(written) { hidden.insert(range) }
    for range in taken.ranges { hidden.insert(range) }
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
  func shown(_ url: String, _ mend: Mend) -> String? {
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
    SecretMask(try URLReading(url), routes.map { $0.record }, storage.index)
  }
}

extension RouteRecord {
  /// Whether a URL of a scheme may be meant for one of its patterns.
  fileprivate func mayBeMeant(by scheme: String) -> Bool {
    patterns.contains { pattern in
      pattern.mayMatch(scheme: scheme)
        || pattern.schemes.contains { OneEdit.looksAlike(Array($0.utf8), Array(scheme.utf8)) }
    }
  }
}

extension ShapeFit {
  /// Where captures of these names stand.
  fileprivate func ranges(of names: Set<String>) -> [Range<Int>] {
    let numbers = Set(pattern.captures.indices.filter { names.contains(pattern.captures[$0].name) })
    return holdings.filter { !numbers.isDisjoint(with: $0.captures) }.map(\.range)
  }
}
