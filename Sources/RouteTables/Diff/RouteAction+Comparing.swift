extension RouteAction {
  /// Whether it does the same as another, where the captures of each stand as these say.
  ///
  /// `names` are those of all captures.
  func does(
    _ other: RouteAction, _ place: (String) -> CaptureOffset, _ otherPlace: (String) -> CaptureOffset,
    named names: [String]
  ) -> Bool {
    switch (self, other) {
    case (.exec(let own), .exec(let others)):
      own.count == others.count && zip(own, others).allSatisfy { $0.says($1, place, otherPlace) }
    case (.rewrite(let own), .rewrite(let other)): own.says(other, place, otherPlace)
    // The application may read any of them.
    case (.handler, .handler): self == other && Set(names).allSatisfy { place($0) == otherPlace($0) }
    default: self == other
    }
  }
}

extension ActionTemplate {
  /// Whether both are filled with the same.
  fileprivate func says(
    _ other: ActionTemplate, _ place: (String) -> CaptureOffset, _ otherPlace: (String) -> CaptureOffset
  ) -> Bool {
    guard isURL == other.isURL, dropping == other.dropping, elements.count == other.elements.count else {
      return false
    }
    return zip(elements, other.elements).allSatisfy { element, other in
      switch (element, other) {
      case (.byte(let one), .byte(let other)): return one == other
      case (.hole(let hole), .hole(let other)):
        guard hole.defaultValue == other.defaultValue else { return false }
        switch (hole.filling, other.filling) {
        case (.capture(let name), .capture(let otherName)): return place(name) == otherPlace(otherName)
        case (.url, .url), (.source, .source): return true
        default: return false
        }
      default: return false
      }
    }
  }
}
