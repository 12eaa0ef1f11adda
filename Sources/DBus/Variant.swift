// SPDX-License-Identifier: Apache-2.0
/// A complete D-Bus value together with its type.
///
/// `[String: Variant]` is the `a{sv}` of options, envelopes and properties.
///
/// ```swift
/// let options: [String: Variant] = ["wait": "handled", "timeout": .uint64(5_000_000)]
/// options["wait"]?.string   // "handled"
/// ```
public enum Variant: Hashable, Sendable {
  /// A byte, `y`.
  case byte(UInt8)
  /// A Boolean, `b`.
  case boolean(Bool)
  /// A signed 16-bit integer, `n`.
  case int16(Int16)
  /// An unsigned 16-bit integer, `q`.
  case uint16(UInt16)
  /// A signed 32-bit integer, `i`.
  case int32(Int32)
  /// An unsigned 32-bit integer, `u`.
  case uint32(UInt32)
  /// A signed 64-bit integer, `x`.
  case int64(Int64)
  /// An unsigned 64-bit integer, `t`.
  case uint64(UInt64)
  /// A floating-point number, `d`.
  case double(Double)
  /// A text, `s`.
  case string(String)
  /// An object path, `o`.
  case objectPath(ObjectPath)
  /// A signature, `g`.
  case signature(Signature)
  /// A file descriptor, `h`.
  case unixFD(UnixFD)
  /// An array of bytes, `ay`, separate from other arrays for efficiency.
  case bytes([UInt8])
  /// An array, `aT`, with any element type except `y` and dictionary entries.
  indirect case array(of: Signature, [Variant])
  /// A dictionary, `a{KV}`, whose keys have a basic type.
  indirect case dictionary(key: Signature, value: Signature, [Variant: Variant])
  /// A structure, `(…)`, with at least one member.
  case structure([Variant])
  /// A variant, `v`, inside another value.
  indirect case variant(Variant)

  /// The type of this value.
  public var signature: Signature {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .unixFD: "h"
    case .bytes: "ay"
    case .array(let element, _): Signature(unchecked: "a" + element.rawValue)
    case .dictionary(let key, let value, _): Signature(unchecked: "a{" + key.rawValue + value.rawValue + "}")
    case .structure(let members):
      Signature(unchecked: "(" + members.map(\.signature.rawValue).joined() + ")")
    case .variant: "v"
    }
  }
}

extension Variant {
  /// Creates an `a{sv}`.
  public static func dictionary(_ entries: [String: Variant]) -> Variant {
    var variants: [Variant: Variant] = [:]
    variants.reserveCapacity(entries.count)
    for (key, value) in entries { variants[.string(key)] = .variant(value) }
    return .dictionary(key: "s", value: "v", variants)
  }

  /// Creates an `as`.
  public static func strings(_ strings: [String]) -> Variant {
    .array(of: "s", strings.map(Variant.string))
  }

  /// The text of an `s`; `nil` for other types.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The Boolean value of a `b`; `nil` for other types.
  public var boolean: Bool? {
    guard case .boolean(let truth) = self else { return nil }
    return truth
  }

  /// The value of any integer type; `nil` for other types and for values that do not fit.
  public var integer: Int64? {
    switch self {
    case .byte(let value): Int64(value)
    case .int16(let value): Int64(value)
    case .uint16(let value): Int64(value)
    case .int32(let value): Int64(value)
    case .uint32(let value): Int64(value)
    case .int64(let value): value
    case .uint64(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The texts of an `as`, or of an `av` with only texts, which JSON arrays become; `nil` for other values.
  public var strings: [String]? {
    guard case .array(let element, let elements) = self, element == "s" || element == "v" else { return nil }
    let texts = elements.compactMap { if case .variant(let inner) = $0 { inner.string } else { $0.string } }
    return texts.count == elements.count ? texts : nil
  }

  /// The dictionaries of an `aa{sv}`; `nil` for other types.
  public var dictionaries: [[String: Variant]]? {
    guard case .array("a{sv}", let elements) = self else { return nil }
    return elements.compactMap(\.entries)
  }

  /// The entries of an `a{sv}`, each without its variant container; `nil` for other types.
  public var entries: [String: Variant]? {
    guard case .dictionary("s", "v", let entries) = self else { return nil }
    var result: [String: Variant] = [:]
    for case (.string(let key), .variant(let value)) in entries { result[key] = value }
    return result
  }
}

extension Variant: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
  /// Creates an `s`.
  public init(stringLiteral text: String) { self = .string(text) }
  /// Creates a `b`.
  public init(booleanLiteral truth: Bool) { self = .boolean(truth) }
}
