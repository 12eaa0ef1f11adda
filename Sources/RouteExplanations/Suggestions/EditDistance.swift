// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// Comparisons of texts by their Damerau–Levenshtein distance, for suggestions.
enum EditDistance {
  /// Returns whether one insertion, deletion, substitution or transposition of scalars turns one text into the other.
  static func isOne(_ lhs: [UInt8], _ rhs: [UInt8]) -> Bool {
    guard abs(lhs.count - rhs.count) <= 4 else { return false }
    let (left, right) = (scalars(lhs), scalars(rhs))
    let (shorter, longer) = left.count <= right.count ? (left, right) : (right, left)
    guard longer.count - shorter.count <= 1, shorter != longer else { return false }
    let start = zip(shorter, longer).prefix { $0 == $1 }.count
    let (first, second) = (shorter[start...], longer[start...])
    guard shorter.count == longer.count else { return first.elementsEqual(second.dropFirst()) }
    if first.dropFirst().elementsEqual(second.dropFirst()) { return true }
    guard first.count > 1 else { return false }
    return first[start] == second[start + 1] && first[start + 1] == second[start]
      && first.dropFirst(2).elementsEqual(second.dropFirst(2))
  }

  /// Returns whether two texts are similar.
  ///
  /// Similar texts differ in at most two scalars and in fewer than half of the shorter text, or in one edit of a text with
  /// more than two bytes.
  static func looksAlike(_ lhs: [UInt8], _ rhs: [UInt8]) -> Bool {
    let length = min(lhs.count, rhs.count)
    guard length > 0, abs(lhs.count - rhs.count) <= 2, length <= 64 else { return false }
    let (left, right) = (String(decoding: lhs, as: UTF8.self), String(decoding: rhs, as: UTF8.self))
    let distance = left.distance(to: right)
    return distance <= 2 && distance * 2 < length || isOne(lhs, rhs) && length > 2
  }

  private static func scalars(_ text: [UInt8]) -> [Unicode.Scalar] {
    Array(String(decoding: text, as: UTF8.self).unicodeScalars)
  }
}
