// SPDX-License-Identifier: Apache-2.0
import DBus

extension [String: Variant] {
  /// The approximate size of the entries in bytes: that of their texts and data, and 16 for each value and each key.
  ///
  /// An array of small numbers takes much more memory than its encoding on the bus.
  package var size: Int { reduce(0) { $0 + 16 + $1.key.utf8.count + $1.value.size } }
}

extension Variant {
  fileprivate var size: Int {
    switch self {
    case .string(let text): 16 + text.utf8.count
    case .objectPath(let path): 16 + path.rawValue.utf8.count
    case .signature(let signature): 16 + signature.rawValue.utf8.count
    case .bytes(let bytes): 16 + bytes.count
    case .array(let element, let values):
      values.reduce(16 + element.rawValue.utf8.count) { $0 + $1.size }
    case .dictionary(let key, let value, let entries):
      entries.reduce(16 + key.rawValue.utf8.count + value.rawValue.utf8.count) {
        $0 + $1.key.size + $1.value.size
      }
    case .structure(let members): members.reduce(16) { $0 + $1.size }
    case .variant(let value): 16 + value.size
    case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .unixFD: 16
    }
  }
}
