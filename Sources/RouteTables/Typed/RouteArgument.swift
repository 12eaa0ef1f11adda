/// What may stand for a capture in Swift: a ``RouteParameter``, a `[…]` of them for a rest or a list, an optional for what may
/// be absent.
///
/// Types of your own conform to ``RouteParameter``, and are this with it.
public protocol RouteArgument: Sendable {
  /// Of what it is made; a pattern with a capture that takes anything else is refused.
  static var routeArgument: RouteArgumentForm { get throws(RouteTableError) }

  /// The value of what a capture took: one text, of a rest and a list all of them, `nil` where it is absent.
  ///
  /// `nil` for what it cannot be made of.
  static func value(ofRouteTexts texts: [String]?) -> Self?

  /// The texts that make the value, `nil` where the capture is to be absent.
  var routeTexts: [String]? { get }
}

/// Of what an argument is made.
public struct RouteArgumentForm: Hashable, Sendable {
  enum Extent {
    case single
    case several
    /// Nothing: no capture stands for it.
    case none
  }

  /// The texts; of several, each.
  let type: RouteType
  var extent = Extent.single
  var isOptional = false
  /// The Swift type of one text.
  private let parameter: String

  /// One text of `type`, for the Swift type that is called `parameter`.
  init(_ type: RouteType, of parameter: String) {
    self.type = type
    self.parameter = parameter
  }

  /// No text: what is bound to no capture, and handed over by whoever calls.
  public static let outside: RouteArgumentForm = {
    var form = RouteArgumentForm(.string, of: "")
    form.extent = .none
    return form
  }()

  /// The type under its name in Swift, for patterns that name it.
  var namedType: RouteType { type.named(parameter) }

  /// The argument's type as Swift writes it.
  var name: String { (extent == .several ? "[\(parameter)]" : parameter) + (isOptional ? "?" : "") }
}

extension Array: RouteArgument where Element: RouteParameter {
  /// The texts of a rest or a list, each of the element's.
  public static var routeArgument: RouteArgumentForm {
    get throws(RouteTableError) {
      var form = try Element.routeArgument
      form.extent = .several
      return form
    }
  }

  /// The values of the texts, none where it is absent.
  public static func value(ofRouteTexts texts: [String]?) -> Self? {
    var values: Self = []
    for text in texts ?? [] {
      guard let value = Element(routeText: text) else { return nil }
      values.append(value)
    }
    return values
  }

  /// The text of each; none at all is absent.
  public var routeTexts: [String]? { isEmpty ? nil : map(\.routeText) }
}

extension Optional: RouteArgument where Wrapped: RouteArgument {
  /// What the value is made of, or nothing.
  public static var routeArgument: RouteArgumentForm {
    get throws(RouteTableError) {
      var form = try Wrapped.routeArgument
      form.isOptional = true
      return form
    }
  }

  /// The value, or `nil` where it is absent.
  public static func value(ofRouteTexts texts: [String]?) -> Self? {
    guard let texts else { return .some(nil) }
    return Wrapped.value(ofRouteTexts: texts).map(Optional.some)
  }

  /// The texts of the value, if there is one.
  public var routeTexts: [String]? { flatMap(\.routeTexts) }
}
