public import RouteTables
public import Scenes

/// What a handler's argument may be: the value of one capture, or the request.
///
/// These are: `String`, `Int64`, `Int`, `UInt64`, `UInt`, `Bool`, a `[…]` of them for a rest or a list, an optional of them for
/// what may be absent, and `SceneRequest`, which takes no capture. An enum of strings needs the name of this protocol, a
/// type of your own the texts that it is made of:
///
/// ```swift
/// enum Tab: String, CaseIterable, RouteArgument { case edit, view }   // {tab:edit|view}
/// struct Day: LosslessStringConvertible, RouteArgument {              // {day:date}
///   static let routeArgument = RouteArgumentForm(.date)
///   …
/// }
/// ```
public protocol RouteArgument: Sendable {
  /// Of what it is made; a table with a capture that takes anything else is refused when it is built.
  static var routeArgument: RouteArgumentForm { get throws(RouteTableError) }

  /// The value of what a capture took: one text, of a rest and a list all of them, `nil` where it is absent.
  ///
  /// `nil` for what it cannot be made of: the route's URL is then not handled.
  static func value(ofRouteTexts texts: [String]?) -> Self?
}

/// Of what an argument is made.
public struct RouteArgumentForm: Sendable {
  enum Extent: Sendable {
    case single
    case several
    case request
  }

  /// The texts; of several, each.
  let type: RouteType
  var extent = Extent.single
  var isOptional = false
  /// As Swift writes it, where that is not the type's own name.
  var name: String?

  /// One text of `type`.
  public init(_ type: RouteType) { self.type = type }

  /// That of `argument`, with its name.
  init<Argument: RouteArgument>(of argument: Argument.Type) throws(RouteTableError) {
    self = try Argument.routeArgument
    name = name ?? "\(Argument.self)"
  }

  var typeName: String { name ?? "" }
}

extension RouteArgument where Self: LosslessStringConvertible {
  /// The value of one text.
  public static func value(ofRouteTexts texts: [String]?) -> Self? { texts?.first.flatMap(Self.init) }
}

extension RouteArgument where Self: RawRepresentable, RawValue == String {
  /// The value whose raw value the text is.
  public static func value(ofRouteTexts texts: [String]?) -> Self? {
    texts?.first.flatMap(Self.init(rawValue:))
  }
}

extension RouteArgument where Self: RawRepresentable & CaseIterable, RawValue == String {
  /// One of the raw values.
  public static var routeArgument: RouteArgumentForm {
    get throws(RouteTableError) {
      let texts = allCases.map(\.rawValue)
      return RouteArgumentForm(
        RouteType(texts.joined(separator: "|"), language: try RouteLanguage(anyOf: texts)))
    }
  }
}

extension String: RouteArgument {
  /// Any text.
  public static var routeArgument: RouteArgumentForm { RouteArgumentForm(.string) }
}

extension Int64: RouteArgument {
  /// The texts of `int`.
  public static var routeArgument: RouteArgumentForm { RouteArgumentForm(.int) }
}

extension Int: RouteArgument {
  /// The texts of `int`.
  public static var routeArgument: RouteArgumentForm { RouteArgumentForm(.int) }
}

extension UInt64: RouteArgument {
  /// The texts of `uint`.
  public static var routeArgument: RouteArgumentForm { RouteArgumentForm(.uint) }
}

extension UInt: RouteArgument {
  /// The texts of `uint`.
  public static var routeArgument: RouteArgumentForm { RouteArgumentForm(.uint) }
}

extension Bool: RouteArgument {
  /// The texts of `bool`.
  public static var routeArgument: RouteArgumentForm { RouteArgumentForm(.bool) }
}

extension Array: RouteArgument where Element: RouteArgument {
  /// The texts of a rest or a list, each of the element's.
  public static var routeArgument: RouteArgumentForm {
    get throws(RouteTableError) {
      var form = try RouteArgumentForm(of: Element.self)
      form.name = "[\(form.typeName)]"
      form.extent = .several
      return form
    }
  }

  /// The values of the texts, none where it is absent.
  public static func value(ofRouteTexts texts: [String]?) -> Self? {
    var values: Self = []
    for text in texts ?? [] {
      guard let value = Element.value(ofRouteTexts: [text]) else { return nil }
      values.append(value)
    }
    return values
  }
}

extension Optional: RouteArgument where Wrapped: RouteArgument {
  /// What the value is made of, or nothing.
  public static var routeArgument: RouteArgumentForm {
    get throws(RouteTableError) {
      var form = try RouteArgumentForm(of: Wrapped.self)
      form.name = "\(form.typeName)?"
      form.isOptional = true
      return form
    }
  }

  /// The value, or `nil` where it is absent.
  public static func value(ofRouteTexts texts: [String]?) -> Self? {
    guard let texts else { return .some(nil) }
    return Wrapped.value(ofRouteTexts: texts).map(Optional.some)
  }
}

extension SceneRequest: RouteArgument {
  /// The request itself, which takes no capture.
  public static var routeArgument: RouteArgumentForm {
    var form = RouteArgumentForm(.string)
    form.extent = .request
    return form
  }

  /// No text is a request.
  public static func value(ofRouteTexts texts: [String]?) -> Self? { nil }
}
