extension RoutePattern {
  /// A URL, or a bare path, that both patterns match; they have as many labels and segments.
  func witness(with other: RoutePattern) -> String {
    var common = self
    for index in authority?.labels.indices ?? 0..<0 {
      common.authority?.labels[index] = Self.common(
        authority?.labels[index], other.authority?.labels[index], .host)
    }
    for index in segments.indices {
      common.segments[index] = Self.common(segments[index], other.segments[index], .path)
    }
    common.query = []
    for item in query + other.query where item.isRequired {
      if common.query.contains(where: { $0.key == item.key }) { continue }
      let own = query.first { $0.key == item.key && $0.isRequired }?.value
      let others = other.query.first { $0.key == item.key && $0.isRequired }?.value
      let isPresence = [own, others].allSatisfy { $0.map { $0.capture?.type == .string } ?? true }
      common.query.append(
        QueryItem(key: item.key, value: isPresence ? nil : Self.common(own, others, .query)))
    }
    common.query.sort { $0.key.lexicographicallyPrecedes($1.key) }
    let fragments = (requiredFragment, other.requiredFragment)
    common.fragment = nil
    if fragments.0 != nil || fragments.1 != nil {
      common.fragment = Self.common(fragments.0, fragments.1, .fragment)
    }
    return common.undoubled
  }

  /// A URL, or a bare path, that the pattern matches.
  var witness: String { witness(with: self) }

  private static func common(_ one: Part?, _ other: Part?, _ component: PatternPart.Component) -> Part {
    if case .literal? = one { return one ?? .literal([]) }
    if case .literal? = other { return other ?? .literal([]) }
    let languages = [one, other].compactMap { $0?.capture?.language(in: component) }
    let first = languages.first ?? RouteType.string.language
    return .literal(Array((first.commonText(with: languages.last ?? first) ?? "").utf8))
  }

  /// The text of a pattern without captures: literal braces as they are in a URL.
  private var undoubled: String {
    var witness = ""
    var scalars = description.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      if scalar == "{" || scalar == "}" { _ = scalars.next() }
      witness.unicodeScalars.append(scalar)
    }
    return witness
  }
}

extension RouteCapture {
  /// The texts that the capture takes where it stands: in the path and the host never the empty one.
  func language(in component: PatternPart.Component) -> RouteLanguage {
    component == .path || component == .host ? type.language.withoutEmptyText : type.language
  }
}
