// SPDX-License-Identifier: Apache-2.0
extension String {
  /// The part of a path behind its last slash; the whole text if it has none.
  ///
  /// The slash is found by its byte, because with a combining mark behind it, it is another `Character`.
  package var lastPathComponent: String {
    utf8.lastIndex(of: UInt8(ascii: "/")).map { String(self[utf8.index(after: $0)...]) } ?? self
  }
}
