// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

extension RoutePattern.Authority {
  /// Returns the number of the capture that is the whole host; `nil` if there is none.
  func hostCapture(of pattern: RoutePattern) -> Int? {
    guard lead == .none, labels.count == 1, let number = labels[0].wholeCapture else { return nil }
    return pattern.captures[number].type.hosts == nil ? nil : number
  }
}

extension PatternVariant {
  /// Returns copies of this variant in which a capture accepts the whole hosts of a range.
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

  /// Returns copies of this variant in which its host capture accepts IPv4 addresses of several labels.
  ///
  /// The result is empty under the schemes that browsers know, because there such a host is one address or an error.
  func numbers(of range: HostRange, capture: Int) throws(RouteTableError) -> [PatternVariant] {
    guard let scheme, !ParsedURL.isSpecial(scheme: scheme) else { return [] }
    let numbers: [[RegularLanguage]]
    do { numbers = try range.numbers() } catch { throw RouteTableError(error) }
    var shapes: [PatternVariant] = []
    for labels in numbers {
      var shape = self
      shape.hostCapture = capture
      shape.isNumbers = true
      shape.labels = labels.map { PatternPart(pieces: [.host($0, capture: capture)]) }
      shapes.append(shape)
    }
    return shapes
  }

  /// Indicates whether the variant counts towards `RouteLimits.variants`.
  var countsForTheLimit: Bool { user != .anything && !isNumbers }
}
