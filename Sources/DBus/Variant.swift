/// Any one complete D-Bus value together with its type.
///
/// `[String: Variant]` is the `a{sv}` of options, envelopes and properties.
///
/// ```swift
/// let options: [String: Variant] = ["wait": "handled", "timeout": .uint64(5_000_000)]
/// options["wait"]?.string   // "handled"
/// ```
public enum Variant: Hashable, Sendable {
  /// `y`
  case byte(UInt8)
  /// `b`
  case boolean(Bool)
  /// `n`
  case int16(Int16)
  /// `q`
  case uint16(UInt16)
  /// `i`
  case int32(Int32)
  /// `u`
  case uint32(UInt32)
  /// `x`
  case int64(Int64)
  /// `t`
  case uint64(UInt64)
  /// `d`
  case double(Double)
  /// `s`
  case string(String)
  /// `o`
  case objectPath(ObjectPath)
  /// `g`
  case signature(Signature)
  /// `h`
  case unixFD(UnixFD)
  /// `ay`: bytes, kept apart from other arrays because there may be many.
  case bytes([UInt8])
  /// `aT` for any other element type than `y` and dictionary entries.
  indirect case array(of: Signature, [Variant])
  /// `a{KV}`; the key is basic.
  indirect case dictionary(key: Signature, value: Signature, [Variant: Variant])
  /// `(…)`, at least one member.
  case structure([Variant])
  /// `v` inside another value.
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
  /// An `a{sv}`.
  public static func dictionary(_ entries: [String: Variant]) -> Variant {
    var variants: [Variant: Variant] = [:]
    variants.reserveCapacity(entries.count)
    for (key, value) in entries { variants[.string(key)] = .variant(value) }
    return .dictionary(key: "s", value: "v", variants)
  }

  /// An `as`.
  public static func strings(_ strings: [String]) -> Variant {
    .array(of: "s", strings.map(Variant.string))
  }

  /// The text of an `s`, else `nil`.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The truth of a `b`, else `nil`.
  public var boolean: Bool? {
    guard case .boolean(let truth) = self else { return nil }
    return truth
  }

  /// The integer of any integer type when it fits, else `nil`.
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

  /// The texts of an `as`, or of an `av` of nothing but texts, as JSON is read; else `nil`.
  public var strings: [String]? {
    guard case .array(let element, let elements) = self, element == "s" || element == "v" else { return nil }
    let texts = elements.compactMap { if case .variant(let inner) = $0 { inner.string } else { $0.string } }
    return texts.count == elements.count ? texts : nil
  }

  /// The entries of an `a{sv}`, each without its wrapping variant, else `nil`.
  public var entries: [String: Variant]? {
    guard case .dictionary("s", "v", let entries) = self else { return nil }
    var result: [String: Variant] = [:]
    for case (.string(let key), .variant(let value)) in entries { result[key] = value }
    return result
  }
}

extension Variant: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
  /// An `s`.
  public init(stringLiteral text: String) { self = .string(text) }
  /// A `b`.
  public init(booleanLiteral truth: Bool) { self = .boolean(truth) }
}
