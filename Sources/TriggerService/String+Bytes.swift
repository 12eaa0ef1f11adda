// SPDX-License-Identifier: Apache-2.0
extension String {
  /// Returns whether two texts have the same bytes, as the tables compare them.
  ///
  /// Equal strings of Swift may have different normal forms of Unicode, so that they may be the IDs of two applications.
  func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
