// SPDX-License-Identifier: Apache-2.0
extension String {
  /// Returns the text with an ellipsis in place of what follows its first `limit` bytes in UTF-8.
  ///
  /// It is cut between two scalars, because a single character may have any number of combining marks.
  package func shortened(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(startIndex, offsetBy: limit)
    // The bytes of a scalar after the first begin with the bits 10.
    while utf8[end] & 0b1100_0000 == 0b1000_0000 { end = utf8.index(before: end) }
    return String(unicodeScalars[..<end]) + "…"
  }
}
