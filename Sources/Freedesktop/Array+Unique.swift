// SPDX-License-Identifier: Apache-2.0
extension Array where Element: Hashable {
  /// The elements without duplicates, in the order of their first occurrence.
  package var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
