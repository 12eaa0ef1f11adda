// SPDX-License-Identifier: Apache-2.0
extension String {
  /// Returns the longest prefix of whole characters that has at most `limit` bytes in UTF-8.
  package func prefix(bytes limit: Int) -> Substring {
    var length = 0
    return prefix { character in
      length += character.utf8.count
      return length <= limit
    }
  }
}
