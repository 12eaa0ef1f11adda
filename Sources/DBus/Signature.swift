// SPDX-License-Identifier: Apache-2.0
/// The types of a sequence of values in D-Bus's notation: `a{sv}`, `as`, `(iid)`.
public struct Signature: BusNaming {
  /// The signature as text.
  public let rawValue: String
  /// Creates the signature without checking `text`.
  public init(unchecked text: String) { rawValue = text }

  /// Returns whether `text` is zero or more complete types within the specification's limits.
  public static func isValid(_ text: String) -> Bool {
    var reader = TypeReader(bytes: Array(text.utf8))
    guard reader.bytes.count <= 255 else { return false }
    while !reader.isAtEnd {
      guard reader.skipCompleteType() else { return false }
    }
    return true
  }

  /// The complete types in order: `sa{sv}` consists of `s` and `a{sv}`.
  public var completeTypes: [Signature] {
    var reader = TypeReader(bytes: Array(rawValue.utf8))
    var types: [Signature] = []
    while !reader.isAtEnd {
      let start = reader.position
      guard reader.skipCompleteType() else { return types }
      types.append(
        Signature(unchecked: String(decoding: reader.bytes[start..<reader.position], as: UTF8.self)))
    }
    return types
  }

  /// Concatenates two signatures.
  public static func + (left: Signature, right: Signature) -> Signature {
    Signature(unchecked: left.rawValue + right.rawValue)
  }
}

/// A parser of signatures (D-Bus Specification, "Type System").
private struct TypeReader {
  let bytes: [UInt8]
  var position = 0
  var arrayDepth = 0
  var structDepth = 0
  var isAtEnd: Bool { position >= bytes.count }

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> UInt8? {
    guard !isAtEnd else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func skipCompleteType() -> Bool {
    switch next() {
    case UInt8(ascii: "a"):
      arrayDepth += 1
      defer { arrayDepth -= 1 }
      guard arrayDepth <= 32 else { return false }
      guard !isAtEnd, bytes[position] == UInt8(ascii: "{") else { return skipCompleteType() }
      position += 1
      guard let key = next(), Self.basic.contains(key), skipCompleteType() else { return false }
      return next() == UInt8(ascii: "}")
    case UInt8(ascii: "("):
      structDepth += 1
      defer { structDepth -= 1 }
      guard structDepth <= 32, skipCompleteType() else { return false }
      while !isAtEnd, bytes[position] != UInt8(ascii: ")") {
        guard skipCompleteType() else { return false }
      }
      return next() == UInt8(ascii: ")")
    case .some(let byte): return Self.basic.contains(byte) || byte == UInt8(ascii: "v")
    case nil: return false
    }
  }

  static let basic = Set("ybnqiuxtdsogh".utf8)
}
