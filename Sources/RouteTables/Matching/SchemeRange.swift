/// Shapes that stand side by side in the order of a table, and are of one scheme: of many routes most are passed by with it.
struct SchemeRange {
  /// In small letters; `nil` holds under any.
  let scheme: String?
  /// Their places in the order.
  private(set) var places: Range<Int>

  /// All stretches of the shapes, in their order.
  static func all(of forms: [PatternVariant]) -> [SchemeRange] {
    var stretches: [SchemeRange] = []
    for (place, form) in forms.enumerated() {
      if let last = stretches.indices.last, stretches[last].scheme == form.scheme {
        stretches[last].places = stretches[last].places.lowerBound..<place + 1
      } else {
        stretches.append(SchemeRange(scheme: form.scheme, places: place..<place + 1))
      }
    }
    return stretches
  }
}
