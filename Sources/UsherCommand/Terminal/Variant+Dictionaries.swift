// SPDX-License-Identifier: Apache-2.0
import DBus

extension Variant {
  /// Creates an `aa{sv}`.
  static func dictionaries(_ dictionaries: [[String: Variant]]) -> Variant {
    .array(of: "a{sv}", dictionaries.map { .dictionary($0) })
  }
}
