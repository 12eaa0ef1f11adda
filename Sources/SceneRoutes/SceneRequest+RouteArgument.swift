// SPDX-License-Identifier: Apache-2.0
public import RouteTables
public import Scenes

extension SceneRequest: RouteArgument {
  /// The form of an argument that receives the request itself and consumes no capture.
  public static var routeArgument: RouteArgumentForm { .outside }

  /// Returns `nil`, because no text represents a request.
  public static func value(ofRouteTexts texts: [String]?) -> Self? { nil }

  /// The value `nil`, because a URL contains no request.
  public var routeTexts: [String]? { nil }
}
