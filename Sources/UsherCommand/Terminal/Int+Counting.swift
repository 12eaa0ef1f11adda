// SPDX-License-Identifier: Apache-2.0

extension Int {
  /// Returns the number with a noun, in the plural unless it is 1.
  ///
  /// - Parameter plural: The plural; `nil` for the noun with an `s`.
  func counted(_ noun: String, plural: String? = nil) -> String {
    "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
  }
}
