// SPDX-License-Identifier: Apache-2.0
extension RouteIndexView {
  /// Returns whether a text has the prefix and the suffix of a branch, and a byte between them if the branch requires one.
  @inline(never)
  func hasAffixes(_ branch: MatchBranch, _ token: MatchToken, of url: URLBytes, form: Normalization) -> Bool {
    let start = pool + Int(branch.affixes)
    let raw = UnsafeRawPointer(start)
    let firstCount = Int(UInt32(littleEndian: raw.loadUnaligned(as: UInt32.self)))
    let lastCount = Int(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    // A text in the URL has at least as many bytes as its normal form, so that this check rejects no match.
    let between = branch.kind == .affixes ? 1 : 0
    guard token.end &- token.start >= firstCount &+ lastCount &+ between else { return false }
    let first = start + 8
    var position = token.start
    for index in 0..<firstCount {
      guard position < token.end, url.next(&position, form) == first[index] else { return false }
    }
    let last = first + firstCount
    var end = token.end
    for index in stride(from: lastCount &- 1, through: 0, by: -1) {
      guard end > position, url.last(&end, form) == last[index] else { return false }
    }
    return end &- position >= between
  }
}

extension URLBytes {
  /// Reads the byte that ends at `end` in normal form, and moves `end` before it.
  ///
  /// `form` must not read `+` as a space.
  @inline(__always)
  fileprivate func last(_ end: inout Int, _ form: Normalization) -> UInt8 {
    var position = end &- 1
    // Every `%` starts a sequence of three bytes.
    if end >= 3, base[end &- 3] == UInt8(ascii: "%") { position = end &- 3 }
    end = position
    return next(&position, form)
  }
}
