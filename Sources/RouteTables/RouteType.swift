/// The type of a capture: a name and a language, which says which texts the capture takes.
///
/// Types are canonical: every text that a type takes also converts, and converts back to the same text. A type of your own
/// is its language, and its values are texts:
///
/// ```swift
/// let sku = RouteType("sku", language: try RegularLanguage("[A-Z]{2}-[0-9]{4,8}"))
/// let pattern = try RoutePattern("shop:/item/{sku:sku}", types: [sku])
/// ```
public struct RouteType: Hashable, Sendable, CustomStringConvertible {
  /// To what a text of the type converts.
  enum Conversion: Hashable, Sendable {
    case text
    case signed
    case unsigned
    case boolean
  }

  /// The type as a pattern writes it: `int`, `string(1,5)`, `a|b`, `/[a-z]+/`.
  public let name: String
  /// The texts it takes.
  public let language: RegularLanguage
  let conversion: Conversion
  /// The hosts that it takes, of a type of whole hosts: it stands nowhere else.
  var hosts: HostRange?

  /// A type of your own; patterns that are read with it may name it.
  public init(_ name: String, language: RegularLanguage) {
    self.init(name, language, .text)
  }

  init(_ name: String, _ language: RegularLanguage, _ conversion: Conversion) {
    self.name = name
    self.language = language
    self.conversion = conversion
  }

  /// The same type under another name.
  public func named(_ name: String) -> RouteType {
    var type = RouteType(name, language, conversion)
    type.hosts = hosts
    return type
  }

  /// The name.
  public var description: String { name }

  /// Whether `text`, already decoded, belongs to the type.
  public func takes(_ text: String) -> Bool { language.contains(text) }

  /// The value of a text, or `nil` if the type does not take it.
  ///
  /// ```swift
  /// RouteType.int.value(of: "-7")    // .int(-7)
  /// RouteType.int.value(of: "007")   // nil
  /// ```
  public func value(of text: String) -> RouteValue? {
    guard takes(text) else { return nil }
    var integer = CanonicalInteger()
    switch conversion {
    case .text: return .string(text)
    case .boolean: return .bool(text == "true")
    case .signed, .unsigned: for byte in text.utf8 { integer.append(byte) }
    }
    return conversion == .signed ? integer.signed.map { .int($0) } : integer.unsigned.map { .uint($0) }
  }
}
