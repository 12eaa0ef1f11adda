// SPDX-License-Identifier: Apache-2.0
/// A Swift type that can represent a capture.
///
/// It is a ``RouteParameter`` for one text, an array of them for a catch-all or a list, or an optional for a capture that may
/// be absent.
///
/// A custom type conforms to ``RouteParameter``, which implies this protocol.
public protocol RouteArgument: Sendable {
  /// The captures that the type can represent; a pattern with a capture of another kind is rejected.
  static var routeArgument: RouteArgumentForm { get throws(RouteTableError) }

  /// Returns the value for the texts of a capture, or `nil` if the texts have no value of this type.
  ///
  /// - Parameter texts: one text, or all texts of a catch-all or list; `nil` if the capture is absent.
  static func value(ofRouteTexts texts: [String]?) -> Self?

  /// The texts that represent the value; `nil` if the capture is to be absent.
  var routeTexts: [String]? { get }
}

/// A description of the captures that an argument can represent.
public struct RouteArgumentForm: Hashable, Sendable {
  enum Extent {
    case single
    case several
    /// The argument represents no capture.
    case none
  }

  /// The type of each text.
  let type: RouteType
  var extent = Extent.single
  var isOptional = false
  /// The name of the Swift type of one text.
  private let parameter: String

  /// Creates the form of an argument with one text of `type`, for the Swift type with the name `parameter`.
  init(_ type: RouteType, of parameter: String) {
    self.type = type
    self.parameter = parameter
  }

  /// The form of an argument that is bound to no capture; the calling code passes its value.
  public static let outside: RouteArgumentForm = {
    var form = RouteArgumentForm(.string, of: "")
    form.extent = .none
    return form
  }()

  /// The type under the name of its Swift type, so that patterns can name it.
  var namedType: RouteType { type.named(parameter) }

  /// The argument's type in Swift syntax.
  var name: String { (extent == .several ? "[\(parameter)]" : parameter) + (isOptional ? "?" : "") }
}

extension Array: RouteArgument where Element: RouteParameter {
  /// The form of a catch-all or a list whose texts each represent one element.
  public static var routeArgument: RouteArgumentForm {
    get throws(RouteTableError) {
      var form = try Element.routeArgument
      form.extent = .several
      return form
    }
  }

  /// Returns the values of the texts; an empty array if the capture is absent.
  public static func value(ofRouteTexts texts: [String]?) -> Self? {
    var values: Self = []
    for text in texts ?? [] {
      guard let value = Element(routeText: text) else { return nil }
      values.append(value)
    }
    return values
  }

  /// The text of each element; `nil` for an empty array, which leaves the capture absent.
  public var routeTexts: [String]? { isEmpty ? nil : map(\.routeText) }
}

extension Optional: RouteArgument where Wrapped: RouteArgument {
  /// The form of the wrapped type, for a capture that may be absent.
  public static var routeArgument: RouteArgumentForm {
    get throws(RouteTableError) {
      var form = try Wrapped.routeArgument
      form.isOptional = true
      return form
    }
  }

  /// Returns the wrapped value, or `.some(nil)` if the capture is absent.
  public static func value(ofRouteTexts texts: [String]?) -> Self? {
    guard let texts else { return .some(nil) }
    return Wrapped.value(ofRouteTexts: texts).map(Optional.some)
  }

  /// The texts of the wrapped value; `nil` if there is none.
  public var routeTexts: [String]? { flatMap(\.routeTexts) }
}
