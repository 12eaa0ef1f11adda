// SPDX-License-Identifier: Apache-2.0
/// A D-Bus name with a grammar, which is checked when it is created.
///
/// A string literal is a constant of the programmer: an invalid one stops a debug build. Use `init?(_:)` for other
/// text.
public protocol BusNaming: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible, Comparable
where RawValue == String {
  /// Returns whether `text` follows the grammar of this kind of name (D-Bus Specification, "Valid Names").
  static func isValid(_ text: String) -> Bool
  /// Creates the name without checking `text`.
  init(unchecked text: String)
}

extension BusNaming {
  /// Creates the name `text`; `nil` if it breaks the grammar.
  public init?(_ text: String) {
    guard Self.isValid(text) else { return nil }
    self.init(unchecked: text)
  }
  /// Creates the name `rawValue`; `nil` if it breaks the grammar.
  public init?(rawValue: String) { self.init(rawValue) }
  /// Creates the name from a constant, which debug builds check.
  public init(stringLiteral text: String) {
    // Not checked in release builds, because constants are used for each message and never change.
    assert(Self.isValid(text), "\(text) is not a valid \(Self.self)")
    self.init(unchecked: text)
  }
  /// The name as text.
  public var description: String { rawValue }
  /// Orders names by their text.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The name of a connection on the bus: unique (`:1.42`) or well-known (`org.example.Notes`).
public struct BusName: BusNaming {
  /// The name of the bus itself.
  static let bus: BusName = "org.freedesktop.DBus"

  /// The name as text.
  public let rawValue: String
  /// Creates the name without checking `text`.
  public init(unchecked text: String) { rawValue = text }
  /// Returns whether `text` follows the grammar.
  public static func isValid(_ text: String) -> Bool {
    if text.hasPrefix(":") {
      return text.utf8.count <= 255 && dottedElements(text.dropFirst(), digitsMayLead: true, dash: true)
    }
    return dottedElements(text[...], digitsMayLead: false, dash: true)
  }
  /// Indicates whether the bus assigned this name; such names are never reused.
  public var isUnique: Bool { rawValue.hasPrefix(":") }
}

/// The name of an interface, such as `org.usher.Broker1`.
public struct InterfaceName: BusNaming {
  /// The name as text.
  public let rawValue: String
  /// Creates the name without checking `text`.
  public init(unchecked text: String) { rawValue = text }
  /// Returns whether `text` follows the grammar.
  public static func isValid(_ text: String) -> Bool {
    dottedElements(text[...], digitsMayLead: false, dash: false)
  }
}

/// The name of an error, such as `org.freedesktop.DBus.Error.NoReply`.
public struct ErrorName: BusNaming {
  /// The name as text.
  public let rawValue: String
  /// Creates the name without checking `text`.
  public init(unchecked text: String) { rawValue = text }
  /// Returns whether `text` follows the grammar.
  public static func isValid(_ text: String) -> Bool { InterfaceName.isValid(text) }
}

/// The name of a method, signal or property.
public struct MemberName: BusNaming {
  /// The name as text.
  public let rawValue: String
  /// Creates the name without checking `text`.
  public init(unchecked text: String) { rawValue = text }
  /// Returns whether `text` follows the grammar.
  public static func isValid(_ text: String) -> Bool {
    text.utf8.count <= 255 && element(text.utf8[...], digitsMayLead: false, dash: false)
  }
}

/// The path of an object, such as `/org/usher/Broker1`.
public struct ObjectPath: BusNaming {
  /// The path as text.
  public let rawValue: String
  /// Creates the path without checking `text`.
  public init(unchecked text: String) { rawValue = text }
  /// Returns whether `text` follows the grammar.
  public static func isValid(_ text: String) -> Bool {
    if text == "/" { return true }
    guard text.hasPrefix("/") else { return false }
    return text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .allSatisfy { element($0[...], digitsMayLead: true, dash: false) }
  }
}

private func dottedElements(_ text: Substring, digitsMayLead: Bool, dash: Bool) -> Bool {
  guard text.utf8.count <= 255 else { return false }
  let elements = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  return elements.count >= 2
    && elements.allSatisfy { element($0, digitsMayLead: digitsMayLead, dash: dash) }
}

private func element(_ bytes: Substring.UTF8View, digitsMayLead: Bool, dash: Bool) -> Bool {
  guard let first = bytes.first else { return false }
  if !digitsMayLead, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) { return false }
  return bytes.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    case UInt8(ascii: "-"): dash
    default: false
    }
  }
}
