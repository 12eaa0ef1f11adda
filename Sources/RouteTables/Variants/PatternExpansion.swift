// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// An expansion of a pattern into its variants.
///
/// There is one variant for each combination of the alternatives in a pattern, such as optional segments, schemes, ports,
/// and choices that contain separators.
package struct PatternExpansion {
  private let pattern: RoutePattern

  private init(_ pattern: RoutePattern) { self.pattern = pattern }

  /// Returns whether the pattern has only one variant, because no part of it is optional.
  static func isOnlyOne(_ pattern: RoutePattern) -> Bool {
    guard pattern.schemes.count < 2, !pattern.options.ignoresTrailingSlash else { return false }
    if let authority = pattern.authority {
      guard case .numbers(let ports) = authority.port, ports.count == 1, authority.lead == .none,
        authority.hostCapture(of: pattern) == nil,
        !authority.labels.contains(where: { $0.isSplit || pattern.isRest($0) })
      else { return false }
    }
    return !pattern.segments.contains { $0.isSplit || pattern.isOptional($0) }
  }

  /// Returns whether `only(of:)` is the only variant of the pattern.
  static func hasOnlyOne(_ pattern: RoutePattern) -> Bool {
    pattern.excludedSchemes.isEmpty && pattern.options.user != .any && isOnlyOne(pattern)
  }

  /// Returns the variants of a pattern, without duplicates.
  ///
  /// Throws if there are more than `RouteLimits.variants`, or if `..` removes a capture. Variants for any user, and for the
  /// numbers of an address, do not count toward the limit.
  package static func shapes(of pattern: RoutePattern) throws(RouteTableError) -> [PatternVariant] {
    if hasOnlyOne(pattern) { return [only(of: pattern)] }
    var shapes = try isOnlyOne(pattern) ? [only(of: pattern)] : PatternExpansion(pattern).shapes()
    for index in shapes.indices where shapes[index].scheme == "file" { shapes[index].normalizeFile() }
    if !pattern.excludedSchemes.isEmpty {
      for index in shapes.indices { shapes[index].excludedSchemes = pattern.excludedSchemes }
    }
    // An absent catch-all of labels leaves an empty host, which web URLs cannot have.
    shapes.removeAll { shape in
      shape.opening == .host && shape.labels.isEmpty && shape.hostRest == nil
        && shape.scheme.flatMap(ParsedURL.defaultPort) != nil
    }
    if let capture = pattern.authority?.hostCapture(of: pattern),
      let range = pattern.captures[capture].type.hosts
    {
      for shape in shapes where shape.opening == .host && shape.hostRest == nil {
        shapes += try shape.numbers(of: range, capture: capture)
      }
    }
    guard pattern.options.user == .any else { return shapes }
    return shapes
      + shapes.compactMap { shape in
        guard shape.opening == .host, shape.user == nil else { return nil }
        var shape = shape
        shape.user = .anything
        return shape
      }
  }

  private func shapes() throws(RouteTableError) -> [PatternVariant] {
    try checkChoices()
    var openings: [PatternVariant] = []
    if pattern.schemes.isEmpty {
      openings = [PatternVariant(opening: pattern.isRooted ? .rootedPath : .rootlessPath, segments: [])]
    }
    for scheme in pattern.schemes { openings += try self.openings(scheme) }
    var paths: [[PatternPart]] = []
    for parts in try split(pattern.segments) {
      for path in try optionals(withoutDots(parts)) { paths += slashes(path) }
    }
    try check(openings: openings.count, paths: paths.count)
    if openings.count * paths.count == 1 {
      openings[0].segments = paths[0]
      return openings
    }
    var shapes: [PatternVariant] = []
    var seen: Set<PatternVariant> = []
    for opening in openings {
      for path in paths {
        var shape = opening
        shape.segments = path
        if seen.insert(shape).inserted { shapes.append(shape) }
      }
    }
    return shapes
  }

  /// Returns the only variant of a pattern that has one.
  static func only(of pattern: RoutePattern) -> PatternVariant {
    var shape = PatternVariant(
      scheme: pattern.schemes.first, opening: pattern.isRooted ? .rootedPath : .rootlessPath,
      segments: pattern.segments)
    if shape.scheme != nil, pattern.options.authority == .segment { shape.opening = .joinedPath }
    if let authority = pattern.authority {
      shape.opening = .host
      shape.user = authority.user
      shape.labels = authority.labels
      if case .numbers(let ports) = authority.port, let port = ports.first {
        shape.port = .number(port == ParsedURL.defaultPort(of: shape.scheme ?? "") ? nil : port)
      }
    }
    if shape.scheme == "file" { shape.normalizeFile() }
    return shape
  }

  private func check(openings: Int, paths: Int) throws(RouteTableError) {
    let (count, isHuge) = openings.multipliedReportingOverflow(by: paths)
    guard isHuge || count > RouteLimits.variants else { return }
    let schemes = max(1, pattern.schemes.count)
    var ports = 1
    if case .numbers(let numbers)? = pattern.authority?.port { ports = max(1, numbers.count) }
    let factors = [
      (schemes, "schemes"), (ports, "ports"), (openings / (schemes * ports), "hosts"), (paths, "paths"),
    ]
    let parts = factors.filter { $0.0 > 1 }.map { "\($0.0.asNumberOfVariants) \($0.1)" }.joined(
      separator: " × ")
    throw RouteTableError(.tooManyVariants(isHuge ? .max : count, of: parts))
  }

  /// Throws if the choices of the host or the path alone make too many variants, before they are expanded.
  private func checkChoices() throws(RouteTableError) {
    let hosts = Self.count(of: pattern.authority?.labels ?? [])
    let paths = Self.count(of: pattern.segments)
    guard max(hosts, paths) > RouteLimits.variants else { return }
    var openings = max(1, pattern.schemes.count)
    if case .numbers(let numbers)? = pattern.authority?.port { openings *= max(1, numbers.count) }
    let (product, isHuge) = openings.multipliedReportingOverflow(by: hosts)
    try check(openings: isHuge ? .max : product, paths: paths)
  }

  /// In how many ways the choices with separators among some parts can be split.
  private static func count(of parts: [PatternPart]) -> Int {
    var count = 1
    for part in parts where part.isSplit {
      for case .choice(let alternatives) in part.pieces where alternatives.contains(where: { $0.count > 1 }) {
        let (product, isHuge) = count.multipliedReportingOverflow(by: alternatives.count)
        count = isHuge ? .max : product
      }
    }
    return count
  }

  private func openings(_ scheme: String) throws(RouteTableError) -> [PatternVariant] {
    guard let authority = pattern.authority else {
      let opening: PatternVariant.Opening =
        pattern.options.authority == .segment ? .joinedPath : pattern.isRooted ? .rootedPath : .rootlessPath
      return [PatternVariant(scheme: scheme, opening: opening, segments: [])]
    }
    var shape = PatternVariant(scheme: scheme, opening: .host, user: authority.user, segments: [])
    switch authority.lead {
    case .none: break
    case .labels: shape.hostRest = .init(capture: nil, mayBeEmpty: false)
    case .any: shape.hostRest = .init(capture: nil, mayBeEmpty: true)
    }
    var ports: [PatternVariant.Port] = [.any]
    if case .numbers(let numbers) = authority.port {
      let own = ParsedURL.defaultPort(of: scheme)
      ports = numbers.map { .number($0 == own ? nil : $0) }
    }
    var shapes: [PatternVariant] = []
    let capture = authority.hostCapture(of: pattern)
    if let capture, let range = pattern.captures[capture].type.hosts {
      for variant in shape.hosts(of: range, capture: capture) {
        for port in ports {
          shapes.append(variant)
          shapes[shapes.count - 1].port = port
        }
      }
      return shapes
    }
    for labels in try split(authority.labels) {
      var variants = [shape]
      variants[0].labels = joined(labels)
      if let first = labels.first, pattern.isRest(first), let number = first.wholeCapture {
        variants[0].labels = Array(labels.dropFirst())
        variants[0].hostRest = .init(capture: number, mayBeEmpty: false)
        if pattern.captures[number].isOptional {
          var bare = variants[0]
          bare.hostRest = nil
          variants.append(bare)
        }
      }
      for port in ports {
        for var variant in variants {
          variant.port = port
          shapes.append(variant)
        }
      }
    }
    return shapes
  }

  /// Replaces the four labels of an IPv4 address with a single label.
  private func joined(_ labels: [PatternPart]) -> [PatternPart] {
    guard labels.count == 4 else { return labels }
    let texts = labels.compactMap(\.literal)
    let address = Array(texts.joined(separator: [UInt8(ascii: ".")]))
    return texts.count == 4 && HostAddress.isIPv4(address) ? [.literal(address)] : labels
  }

  /// Returns all sequences of parts that result from choices which contain separators.
  private func split(_ parts: [PatternPart]) throws(RouteTableError) -> [[PatternPart]] {
    guard parts.contains(where: \.isSplit) else { return [parts] }
    var results: [[PatternPart]] = [[]]
    for part in parts {
      let variants = part.isSplit ? try variants(of: part) : [[part]]
      results = results.flatMap { result in variants.map { result + $0 } }
    }
    return results
  }

  private func variants(of part: PatternPart) throws(RouteTableError) -> [[PatternPart]] {
    var variants: [[PatternPart]] = [[PatternPart()]]
    for piece in part.pieces {
      guard case .choice(let alternatives) = piece, alternatives.contains(where: { $0.count > 1 }) else {
        for index in variants.indices {
          let last = variants[index].count - 1
          if case .literal(let bytes) = piece {
            variants[index][last].append(bytes)
          } else {
            variants[index][last].pieces.append(piece)
          }
        }
        continue
      }
      variants = variants.flatMap { variant in
        alternatives.map { texts in
          var variant = variant
          variant[variant.count - 1].append(texts.first ?? [])
          return variant + texts.dropFirst().map { PatternPart.literal($0) }
        }
      }
    }
    return variants
  }

  /// Returns the path without the dot segments that result from choices.
  private func withoutDots(_ parts: [PatternPart]) throws(RouteTableError) -> [PatternPart] {
    guard pattern.isRooted, parts.contains(where: { $0.literal.map { DotSegment($0) != nil } ?? false })
    else {
      return parts
    }
    var path: [PatternPart] = []
    var endsWithDots = false
    for part in parts {
      let dots = part.literal.flatMap { DotSegment($0) }
      if dots == nil { path.append(part) }
      if dots == .parent, path.popLast()?.captures.isEmpty == false {
        throw RouteTableError(.dotSegmentOverCapture)
      }
      endsWithDots = dots != nil
    }
    if endsWithDots { path.append(PatternPart()) }
    return path
  }

  /// Returns the paths for each combination of optional segments; a path without segments has one empty segment.
  private func optionals(_ parts: [PatternPart]) throws(RouteTableError) -> [[PatternPart]] {
    let end = (parts.lastIndex { !pattern.isOptional($0) }).map { $0 + 1 } ?? 0
    var bases: [[PatternPart]] = [[]]
    for part in parts[..<end] {
      if pattern.isOptional(part) { bases += bases }
      for index in bases.indices where !pattern.isOptional(part) || index < bases.count / 2 {
        bases[index].append(part)
      }
    }
    var paths: [[PatternPart]] = []
    for base in bases {
      for count in 0...(parts.count - end) {
        let path = base + parts[end..<(end + count)]
        // A path always has a segment, even if it is empty, so a catch-all that accepts the empty text is never absent.
        if path.isEmpty, takesTheEmptyPath(parts) { continue }
        paths.append(path.isEmpty ? [PatternPart()] : path)
      }
    }
    return paths
  }

  private func takesTheEmptyPath(_ parts: [PatternPart]) -> Bool {
    guard let first = parts.first, pattern.isRest(first), let number = first.wholeCapture else {
      return false
    }
    return pattern.captures[number].defaultValue == nil && pattern.captures[number].type.language.contains([])
  }

  /// Returns the path with and without a trailing slash if the options ignore it; otherwise only the path.
  private func slashes(_ path: [PatternPart]) -> [[PatternPart]] {
    guard pattern.options.ignoresTrailingSlash, path != [PatternPart()] else { return [path] }
    guard path.last == PatternPart() else { return [path, path + [PatternPart()]] }
    return [path, path.count == 1 ? path : Array(path.dropLast())]
  }
}
