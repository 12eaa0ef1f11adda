extension RoutePattern.Authority {
  /// The number of the capture of a type of whole hosts that is the host.
  func hostCapture(of pattern: RoutePattern) -> Int? {
    guard lead == .none, labels.count == 1, let number = labels[0].wholeCapture else { return nil }
    return pattern.captures[number].type.hosts == nil ? nil : number
  }
}

extension PatternVariant {
  /// Returns the shapes in which a capture takes whole hosts of a range, each like this one.
  func hosts(of range: HostRange, capture: Int) -> [PatternVariant] {
    func part(_ language: RegularLanguage) -> PatternPart {
      PatternPart(pieces: [.host(language, capture: capture)])
    }
    var shape = self
    shape.hostCapture = capture
    shape.labels = [part(range.label)]
    return [shape]
      + range.suffixes.map { suffix in
        shape.labels = suffix.map(part)
        shape.hostRest = .init(capture: nil, mayBeEmpty: false)
        return shape
      }
  }

  /// Returns the shapes in which the capture of this one takes IPv4 addresses that are several labels.
  ///
  /// Under the schemes that browsers read as hosts there are none: such a host is one address, or no URL.
  func numbers(of range: HostRange, capture: Int) throws(RouteTableError) -> [PatternVariant] {
    guard let scheme, !ParsedURL.isSpecial(scheme: scheme) else { return [] }
    var shapes: [PatternVariant] = []
    for labels in try range.numbers() {
      var shape = self
      shape.hostCapture = capture
      shape.isNumbers = true
      shape.labels = labels.map { PatternPart(pieces: [.host($0, capture: capture)]) }
      shapes.append(shape)
    }
    return shapes
  }

  /// Whether it is one of those that a route may have `RouteLimits.shapes` of.
  var countsForTheLimit: Bool { user != .anything && !isNumbers }
}
