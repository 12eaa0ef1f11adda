/// Comparisons of texts by their Damerau–Levenshtein distance, for suggestions.
enum EditDistance {
  /// Returns whether one insertion, deletion, substitution or transposition of scalars turns one text into the other.
  static func lies(between one: [UInt8], and other: [UInt8]) -> Bool {
    guard abs(one.count - other.count) <= 4 else { return false }
    let (own, others) = (scalars(one), scalars(other))
    let (shorter, longer) = own.count <= others.count ? (own, others) : (others, own)
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
  static func looksAlike(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    let length = min(one.count, other.count)
    guard length > 0, abs(one.count - other.count) <= 2, length <= 64 else { return false }
    let (own, others) = (String(decoding: one, as: UTF8.self), String(decoding: other, as: UTF8.self))
    let distance = own.distance(to: others)
    return distance <= 2 && distance * 2 < length || lies(between: one, and: other) && length > 2
  }

  private static func scalars(_ text: [UInt8]) -> [Unicode.Scalar] {
    Array(String(decoding: text, as: UTF8.self).unicodeScalars)
  }
}
