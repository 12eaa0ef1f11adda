// SPDX-License-Identifier: Apache-2.0
/// A matcher by the definition of the language, which tries every variant of every pattern.
struct NaiveMatcher {
  struct Candidate {
    let id: String
    let shape: NaiveShape
    let captures: [String: String]
  }

  let shapes: [(id: String, shape: NaiveShape)]

  private let precedence: NaivePrecedence

  init(_ patterns: [(id: String, pattern: NaivePattern)], _ precedence: NaivePrecedence) {
    self.precedence = precedence
    shapes = patterns.flatMap { id, pattern in NaiveShape.all(of: pattern).map { (id, $0) } }
  }

  /// Returns the matching variants that no other matching variant precedes.
  func winners(_ url: NaiveURL) -> [Candidate] {
    let candidates = shapes.compactMap { id, shape in
      NaiveReader(url: url, shape: shape).captures().map { Candidate(id: id, shape: shape, captures: $0) }
    }
    return candidates.filter { candidate in
      !candidates.contains { precedence.compare($0.shape, candidate.shape) == .first }
    }
  }
}

/// A matcher of one variant.
struct NaiveReader {
  let url: NaiveURL
  let shape: NaiveShape
  private var found: [String: String] = [:]

  init(url: NaiveURL, shape: NaiveShape) {
    self.url = url
    self.shape = shape
  }

  /// Returns the texts of the captures, including defaults; `nil` if the variant does not match.
  func captures() -> [String: String]? {
    var copy = self
    return copy.read() ? copy.found : nil
  }

  private mutating func read() -> Bool {
    let pattern = shape.pattern
    for name in defaults { found[name.key] = name.value }
    var segments = url.segments
    if pattern.isJoined {
      guard let scheme = url.scheme, scheme == pattern.scheme, let joined = url.joined else { return false }
      segments = joined
    } else {
      if let scheme = pattern.scheme {
        guard scheme == url.scheme, pattern.hasHost == (url.labels != nil) else { return false }
      }
      if let scheme = url.scheme, pattern.excluded.contains(scheme) { return false }
      guard pattern.isRooted == url.isRooted, readHost() else { return false }
    }
    guard read(shape.segments[...], segments[...], folds: pattern.ignoresCase, isHost: false) else {
      return false
    }
    return readQuery() && readFragment()
  }

  private var defaults: [String: String] {
    var defaults: [String: String] = [:]
    for place in shape.pattern.segments {
      if case .optional(let name, _, let value?) = place { defaults[name] = value }
    }
    for test in shape.pattern.query.map(\.test) + (shape.pattern.fragment.map { [$0] } ?? []) {
      if case .optional(let name, _, let value?) = test { defaults[name] = value }
    }
    return defaults
  }

  private mutating func readHost() -> Bool {
    let pattern = shape.pattern
    if pattern.scheme == nil { return true }
    guard let labels = url.labels else { return true }
    let own = url.port == (url.scheme == "https" ? 443 : nil) ? nil : url.port
    if case .number(let number) = pattern.port {
      guard (number == (pattern.scheme == "https" ? 443 : nil) ? nil : number) == own else { return false }
    }
    switch (pattern.user, url.user) {
    case (nil, nil): break
    case (let pieces?, let user?): guard read(pieces[...], user, folds: false) else { return false }
    default: return false
    }
    guard let least = shape.leastLabels else {
      return read(shape.labels[...], labels[...], folds: false, isHost: true)
    }
    guard labels.count >= least + shape.labels.count else { return false }
    return read(shape.labels[...], labels.suffix(shape.labels.count), folds: false, isHost: true)
  }

  /// Matches components in sequence; a catch-all takes the shortest text with which the others match.
  private mutating func read(
    _ places: ArraySlice<NaivePattern.ComponentMatcher>, _ texts: ArraySlice<String>, folds: Bool,
    isHost: Bool
  ) -> Bool {
    guard let place = places.first else { return texts.isEmpty }
    switch place {
    case .one(let pieces):
      guard let text = texts.first else { return false }
      let before = found
      if read(pieces[...], text, folds: folds, mayBeEmpty: false),
        read(places.dropFirst(), texts.dropFirst(), folds: folds, isHost: isHost)
      {
        return true
      }
      found = before
      return false
    case .rest(let name, let type, _):
      for count in 1..<max(1, texts.count + 1) {
        let own = texts.prefix(count)
        guard own.allSatisfy({ type.matches($0) && !(isHost && $0.isEmpty) }) else { return false }
        let before = found
        if read(places.dropFirst(), texts.dropFirst(count), folds: folds, isHost: isHost) {
          found[name] = own.joined(separator: "/")
          return true
        }
        found = before
      }
      return false
    case .optional: return false
    }
  }

  /// Matches pieces in sequence; a capture takes the longest text with which the others match.
  mutating func read(
    _ pieces: ArraySlice<NaivePattern.Piece>, _ text: String, folds: Bool, mayBeEmpty: Bool = false
  ) -> Bool {
    guard let piece = pieces.first else { return text.isEmpty }
    switch piece {
    case .text(let own):
      return Self.starts(text, own, folds) && read(pieces.dropFirst(), Self.drop(text, own), folds: folds)
    case .choice(let texts):
      return texts.sorted { $0.count > $1.count }.contains {
        Self.starts(text, $0, folds) && read(pieces.dropFirst(), Self.drop(text, $0), folds: folds)
      }
    case .hole(let name, let type):
      let scalars = Array(text.unicodeScalars)
      for count in stride(from: scalars.count, through: mayBeEmpty && pieces.count == 1 ? 0 : 1, by: -1) {
        let own = Self.string(scalars[..<count])
        let before = found
        if type.matches(own), read(pieces.dropFirst(), Self.string(scalars[count...]), folds: folds) {
          found[name] = own
          return true
        }
        found = before
      }
      return false
    }
  }

  static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private static func starts(_ text: String, _ own: String, _ folds: Bool) -> Bool {
    let start = string(Array(text.unicodeScalars).prefix(own.unicodeScalars.count))
    return folds ? start.lowercasedASCII == own.lowercasedASCII : start == own
  }

  private static func drop(_ text: String, _ own: String) -> String {
    string(Array(text.unicodeScalars).dropFirst(own.unicodeScalars.count))
  }

  private mutating func readQuery() -> Bool {
    let items = shape.pattern.plusIsLiteral ? url.literalQuery : url.query
    for (written, test) in shape.pattern.query {
      // The key of a pattern is encoded as in a URL.
      let key = written
      let values = items.filter { $0.key == key }.map { $0.value ?? "" }
      switch test {
      case .present: guard !values.isEmpty else { return false }
      case .absent: guard values.isEmpty else { return false }
      case .value(let pieces):
        guard let first = values.first, read(pieces[...], first, folds: false, mayBeEmpty: true) else {
          return false
        }
      case .list(let name, let type, let isOptional):
        let own = values.filter { type.matches($0) }
        guard isOptional || (!values.isEmpty && own.count == values.count) else { return false }
        if !own.isEmpty { found[name] = own.joined(separator: "/") }
      case .optional(let name, let type, _):
        if let first = values.first, type.matches(first) { found[name] = first }
      }
    }
    return true
  }

  private mutating func readFragment() -> Bool {
    switch shape.pattern.fragment {
    case .value(let pieces)?:
      guard let fragment = url.fragment else { return false }
      return read(pieces[...], fragment, folds: false, mayBeEmpty: true)
    case .optional(let name, let type, _)?:
      if let fragment = url.fragment, type.matches(fragment) { found[name] = fragment }
      return true
    default: return true
    }
  }
}

extension String {
  var lowercasedASCII: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
        }))
  }
}
