/// A Swift type whose values are texts of a URL: what one capture takes, and what a link is made of.
///
/// An enum needs nothing but the name of this protocol; what reads and writes its own text, the type of its texts:
///
/// ```swift
/// enum Tab: String, CaseIterable, RouteParameter { case edit, view }   // {tab:Tab} takes `edit` and `view`
/// struct Day: LosslessStringConvertible, RouteParameter {              // {day:date}
///   static let routeType = RouteType.date
///   …
/// }
/// ```
///
/// Every text of ``routeType`` makes a value, and the text of a value makes that value again. A `Double` is none of them: `0.5`
/// and `0.50` are one number, and no finite language has each number once; give such a capture a type of its own.
public protocol RouteParameter: RouteArgument {
  /// The texts of which values are made.
  static var routeType: RouteType { get throws(RouteTableError) }

  /// The value of a text of ``routeType``, decoded; `nil` for what is none.
  init?(routeText: String)

  /// The text of the value; where ``routeType`` does not take it, no URL is made of the value.
  var routeText: String { get }
}

extension RouteParameter {
  /// One text of ``routeType``.
  public static var routeArgument: RouteArgumentForm {
    get throws(RouteTableError) { RouteArgumentForm(try routeType, of: "\(Self.self)") }
  }

  /// The value of one text.
  public static func value(ofRouteTexts texts: [String]?) -> Self? {
    texts?.first.flatMap(Self.init(routeText:))
  }

  /// Its one text.
  public var routeTexts: [String]? { [routeText] }
}

extension RouteParameter where Self: LosslessStringConvertible {
  /// The value that is described so.
  public init?(routeText: String) { self.init(routeText) }

  /// Its description.
  public var routeText: String { description }
}

extension RouteParameter where Self: RawRepresentable, RawValue: RouteParameter {
  /// The value whose raw value the text is.
  public init?(routeText: String) {
    guard let value = RawValue(routeText: routeText) else { return nil }
    self.init(rawValue: value)
  }

  /// The text of the raw value.
  public var routeText: String { rawValue.routeText }
}

extension RouteParameter where Self: RawRepresentable & CaseIterable, RawValue: RouteParameter {
  /// The texts of all cases.
  public static var routeType: RouteType {
    get throws(RouteTableError) { try RouteType(anyOf: allCases.map(\.routeText)) }
  }
}

extension RouteType {
  /// The type of a Swift type's texts, under that type's name: what patterns that are read with it call it.
  ///
  /// ```swift
  /// let pattern = try RoutePattern("notes://note?tab={tab:Tab}", types: [RouteType(Tab.self)])
  /// ```
  public init<Parameter: RouteParameter>(_ parameter: Parameter.Type) throws(RouteTableError) {
    self = try Parameter.routeType.named("\(Parameter.self)")
  }

  /// One of these texts, named as a pattern writes it: `edit|view`.
  public init(anyOf texts: [String]) throws(RouteTableError) {
    let language = try RegularLanguage(anyOf: texts)
    guard !language.isEmpty else { throw RouteTableError(.emptyType) }
    self.init(texts.map { Self.choiceText(of: Array($0.utf8)) }.joined(separator: "|"), language: language)
  }

  /// A text of a choice as a pattern writes it.
  static func choiceText(of bytes: [UInt8]) -> String {
    // What would end it in a pattern.
    RoutePattern.encode(bytes, reserved: "{}|?=*()/%.\"")
  }
}
