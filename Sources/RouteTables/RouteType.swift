// SPDX-License-Identifier: Apache-2.0
public import RegularLanguages

/// The type of a capture: a name and the language of the texts that the capture accepts.
///
/// Types are canonical: each text that a type accepts converts to a value, and the value converts back to an equal text.
/// A custom type consists of a name and a language, and its values are texts:
///
/// ```swift
/// let sku = try RouteType("sku", matching: "[A-Z]{2}-[0-9]{4,8}")
/// let pattern = try RoutePattern("shop:/item/{sku:sku}", types: [sku])
/// ```
public struct RouteType: Hashable, Sendable, CustomStringConvertible {
  /// The kind of value to which a text of the type converts.
  package enum Conversion: Hashable, Sendable {
    case text
    case signed
    case unsigned
    case boolean
  }

  /// The storage that all copies of a type share, because every capture has one.
  private final class Storage: Sendable {
    let name: String
    let language: RegularLanguage
    let conversion: Conversion
    let hosts: HostRange?

    init(_ name: String, language: RegularLanguage, conversion: Conversion, hosts: HostRange?) {
      self.name = name
      self.language = language
      self.conversion = conversion
      self.hosts = hosts
    }
  }

  private let storage: Storage

  /// The type as a pattern writes it: `int`, `string(1,5)`, `a|b`, `/[a-z]+/`.
  public var name: String { storage.name }
  /// The texts that the type accepts.
  public var language: RegularLanguage { storage.language }
  package var conversion: Conversion { storage.conversion }
  /// The hosts that a type of whole hosts accepts; `nil` for a type that matches within components.
  var hosts: HostRange? { storage.hosts }

  /// Creates a custom type, which patterns may name if it is passed to their initializer.
  public init(_ name: String, language: RegularLanguage) {
    self.init(name, language: language, conversion: .text)
  }

  /// Creates a custom type that accepts the texts that match a regular expression.
  ///
  /// - Throws: ``RouteTableError`` if the expression is invalid or its automaton is too large.
  public init(_ name: String, matching expression: String) throws(RouteTableError) {
    do { self.init(name, language: try RegularLanguage(expression)) } catch { throw RouteTableError(error) }
  }

  /// Creates a custom type that accepts exactly these texts.
  ///
  /// - Throws: ``RouteTableError`` if there are so many texts that their automaton is too large.
  public init(_ name: String, anyOf texts: [String]) throws(RouteTableError) {
    do { self.init(name, language: try RegularLanguage(anyOf: texts)) } catch { throw RouteTableError(error) }
  }

  init(_ name: String, language: RegularLanguage, conversion: Conversion, hosts: HostRange? = nil) {
    storage = Storage(name, language: language, conversion: conversion, hosts: hosts)
  }

  /// Returns a copy of the type with another name.
  public func named(_ name: String) -> RouteType {
    RouteType(name, language: language, conversion: conversion, hosts: hosts)
  }

  /// The name.
  public var description: String { name }

  /// Returns whether both types have the same name and accept the same texts.
  public static func == (first: RouteType, second: RouteType) -> Bool {
    first.storage === second.storage
      || (first.name == second.name && first.language == second.language
        && first.conversion == second.conversion && first.hosts == second.hosts)
  }

  /// Hashes the name and the language.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(language)
  }

  /// Returns whether the type accepts `text`, which must be decoded.
  public func matches(_ text: String) -> Bool { language.contains(text) }

  /// Returns the value of a decoded text, or `nil` if the type does not accept it.
  ///
  /// ```swift
  /// RouteType.int.value(of: "-7")    // .int(-7)
  /// RouteType.int.value(of: "007")   // nil
  /// ```
  public func value(of text: String) -> RouteValue? {
    guard matches(text) else { return nil }
    var integer = CanonicalInteger()
    switch conversion {
    case .text: return .string(text)
    case .boolean: return .bool(text == "true")
    case .signed, .unsigned: for byte in text.utf8 { integer.append(byte) }
    }
    return conversion == .signed ? integer.signed.map { .int($0) } : integer.unsigned.map { .uint($0) }
  }
}
