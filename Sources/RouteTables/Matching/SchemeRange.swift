// SPDX-License-Identifier: Apache-2.0
/// A range of consecutive variants that share a scheme, so that a search can skip the variants of other schemes.
package struct SchemeRange {
  /// The scheme in lower case; `nil` if the variants match any scheme.
  package let scheme: String?
  /// The indices of the variants in the order of precedence.
  package private(set) var places: Range<Int>

  /// Returns the ranges of all variants, whose schemes are given in the order of precedence.
  static func all(of schemes: some Sequence<String?>) -> [SchemeRange] {
    var stretches: [SchemeRange] = []
    for (place, scheme) in schemes.enumerated() {
      if let last = stretches.indices.last, stretches[last].scheme == scheme {
        stretches[last].places = stretches[last].places.lowerBound..<place + 1
      } else {
        stretches.append(SchemeRange(scheme: scheme, places: place..<place + 1))
      }
    }
    return stretches
  }
}
