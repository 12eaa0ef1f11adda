// SPDX-License-Identifier: Apache-2.0
/// A range of consecutive variants that share a scheme, so that a search can skip the variants of other schemes.
package struct SchemeRange {
  /// The scheme in lower case; `nil` if the variants match any scheme.
  package let scheme: String?
  /// The indices of the variants in the order of precedence.
  package private(set) var places: Range<Int>

  /// Returns the ranges of all variants, in order.
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
