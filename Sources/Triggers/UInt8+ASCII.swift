// SPDX-License-Identifier: Apache-2.0
extension UInt8 {
  /// A Boolean value that is `true` for an ASCII letter or digit.
  package var isASCIIAlphanumeric: Bool {
    (48...57).contains(self) || (65...90).contains(self) || (97...122).contains(self)
  }
}
