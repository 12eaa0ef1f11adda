public import RouteTables
public import Scenes

extension SceneRequest: RouteArgument {
  /// The request itself, which takes no capture.
  public static var routeArgument: RouteArgumentForm { .outside }

  /// No text is a request.
  public static func value(ofRouteTexts texts: [String]?) -> Self? { nil }

  /// A request is in no URL.
  public var routeTexts: [String]? { nil }
}
