/// The bytes of a URL that are not for other eyes: what secret captures took of it, or would.
struct SecretMask {
  /// In their order, none of which touches another.
  private(set) var ranges: [Range<Int>] = []

  /// Hides these runs to begin with.
  init(_ ranges: [Range<Int>]) { for range in ranges { hide(range) } }

  /// Hides what the secret captures of a route stand for, as far as the URL fits it.
  mutating func hide(_ fit: ShapeFit, of route: RouteRecord) {
    let secret = fit.secretCaptures(of: route)
    guard !secret.isEmpty else { return }
    for holding in fit.holdings where !secret.isDisjoint(with: holding.captures) { hide(holding.range) }
    hideQuery(fit, of: route)
    if fit.opensOtherwise { hide(fit.reading.slashes.upperBound..<fit.reading.url.utf8.count) }
    // A segment too much may be a part of the secret: a slash that is not encoded.
    guard fit.misfits.contains(where: { $0.place == .path }), !fit.isOffByTrailingSlash,
      let place = fit.form.segments.firstIndex(where: { !secret.isDisjoint(with: $0.captures) })
    else { return }
    let segments = fit.reading.segments(under: fit.form.opening)
    if place < segments.count { hide(segments[place].range.lowerBound..<fit.reading.endOfPath) }
  }

  /// Hides all values of the keys, and the fragment, that a route's secret captures read, be the rest of the URL another route's.
  mutating func hideQuery(_ fit: ShapeFit, of route: RouteRecord) {
    let secret = fit.secretCaptures(of: route)
    for item in fit.pattern.query {
      guard let part = item.value, !secret.isDisjoint(with: part.captures) else { continue }
      for own in fit.reading.items + fit.reading.literalItems where own.key.text == item.key {
        hide(own.value.range)
      }
    }
    guard let part = fit.pattern.fragment, !secret.isDisjoint(with: part.captures),
      let fragment = fit.reading.fragment
    else { return }
    hide(fragment.range)
  }

  private mutating func hide(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.endIndex
    let end = ranges[first...].firstIndex { $0.lowerBound > range.upperBound } ?? ranges.endIndex
    let bounds = ranges[first..<end].reduce(range) {
      min($0.lowerBound, $1.lowerBound)..<max($0.upperBound, $1.upperBound)
    }
    ranges.replaceSubrange(first..<end, with: [bounds])
  }

  /// Whether some byte of a run is hidden.
  func hides(_ range: Range<Int>) -> Bool { ranges.contains { $0.overlaps(range) } }

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

  /// The URL with a run of it replaced, and still nothing of what is hidden; `nil` where that run is hidden itself.
  func shown(_ url: String, replacing range: Range<Int>, with text: String) -> String? {
    guard !hides(range),
      !ranges.contains(where: { $0.contains(range.lowerBound) && $0.lowerBound < range.lowerBound })
    else { return nil }
    return shown(0..<range.lowerBound, of: url) + text + shown(range.upperBound..<url.utf8.count, of: url)
  }
}

extension ShapeFit {
  /// The numbers of the captures that are secret.
  fileprivate func secretCaptures(of route: RouteRecord) -> Set<Int> {
    guard !route.secretCaptures.isEmpty else { return [] }
    return Set(pattern.captures.indices.filter { route.secretCaptures.contains(pattern.captures[$0].name) })
  }

  /// Whether all that is too much, or missing, in the path is a slash at its end.
  var isOffByTrailingSlash: Bool {
    guard let misfit = misfits.first(where: { $0.place == .path }), case .end(let missing) = misfit.expected
    else { return false }
    if let missing { return missing.literal == [] }
    return misfit.range.map { $0.count == 1 } ?? false
  }
}
