// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// A Swift type whose values convert to and from the text of a single capture.
///
/// An enum only declares its conformance. A type that converts itself to and from text also declares ``routeType``:
///
/// ```swift
/// enum Tab: String, CaseIterable, RouteParameter { case edit, view }   // {tab:Tab} accepts `edit` and `view`
/// struct Day: LosslessStringConvertible, RouteParameter {              // {day:date}
///   static let routeType = RouteType.date
///   …
/// }
/// ```
///
/// Each text of ``routeType`` must convert to a value, and the value must convert back to that text. `Double` does not
/// conform, because `0.5` and `0.50` are equal numbers and no regular language contains exactly one text for each number;
/// define a type for such a capture.
public protocol RouteParameter: RouteArgument {
  /// The type of the texts that convert to a value.
  static var routeType: RouteType { get throws(RouteTableError) }

  /// Creates the value of a decoded text of ``routeType``; returns `nil` if the text has no value.
  init?(routeText: String)

  /// The text of the value; if ``routeType`` does not accept it, no URL can be generated from the value.
  var routeText: String { get }
}

extension RouteParameter {
  /// The form of one text of ``routeType``.
  public static var routeArgument: RouteArgumentForm {
    get throws(RouteTableError) { RouteArgumentForm(try routeType, of: "\(Self.self)") }
  }

  /// Returns the value of the first text; `nil` if the capture is absent or its text has no value.
  public static func value(ofRouteTexts texts: [String]?) -> Self? {
    texts?.first.flatMap(Self.init(routeText:))
  }

  /// An array of the value's text.
  public var routeTexts: [String]? { [routeText] }
}

extension RouteParameter where Self: LosslessStringConvertible {
  /// Creates the value with this description.
  public init?(routeText: String) { self.init(routeText) }

  /// The description of the value.
  public var routeText: String { description }
}

extension RouteParameter where Self: RawRepresentable, RawValue: RouteParameter {
  /// Creates the value with the raw value that the text denotes.
  public init?(routeText: String) {
    guard let value = RawValue(routeText: routeText) else { return nil }
    self.init(rawValue: value)
  }

  /// The text of the raw value.
  public var routeText: String { rawValue.routeText }
}

extension RouteParameter where Self: RawRepresentable & CaseIterable, RawValue: RouteParameter {
  /// The type that accepts the texts of all cases.
  public static var routeType: RouteType {
    get throws(RouteTableError) { try RouteType(anyOf: allCases.map(\.routeText)) }
  }
}

extension RouteType {
  /// Creates a type that accepts the texts of a Swift type and has the name of that type, so that patterns can name it.
  ///
  /// ```swift
  /// let pattern = try RoutePattern("notes://note?tab={tab:Tab}", types: [RouteType(Tab.self)])
  /// ```
  public init<Parameter: RouteParameter>(_ parameter: Parameter.Type) throws(RouteTableError) {
    self = try Parameter.routeType.named("\(Parameter.self)")
  }

  /// Creates a type that accepts exactly these texts; its name is the choice as a pattern writes it, such as `edit|view`.
  public init(anyOf texts: [String]) throws(RouteTableError) {
    let language: RegularLanguage
    do { language = try RegularLanguage(anyOf: texts) } catch { throw RouteTableError(error) }
    guard !language.isEmpty else { throw RouteTableError(.emptyType) }
    self.init(texts.map { Self.choiceText(of: Array($0.utf8)) }.joined(separator: "|"), language: language)
  }

  /// Returns a text of a choice as a pattern writes it.
  static func choiceText(of bytes: [UInt8]) -> String {
    // These characters would end the choice in a pattern, so they are percent-encoded.
    RoutePattern.encode(bytes, reserved: "{}|?=*()/%.\"")
  }
}
