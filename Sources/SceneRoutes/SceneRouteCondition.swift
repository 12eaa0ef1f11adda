// SPDX-License-Identifier: Apache-2.0
public import RouteTables
public import Scenes

/// A condition on a request other than its URL, like `source` in route files.
public struct SceneRouteCondition: Hashable, Sendable {
  private enum Content: Hashable, Sendable {
    case texts(String, [String])
    case condition(RouteCondition)
  }

  private let content: Content

  private init(_ name: String, _ texts: [String]) { content = .texts(name, texts) }

  /// Creates any other condition, on a value of `SceneRequest.routeContext`.
  public init(_ condition: RouteCondition) { content = .condition(condition) }

  /// Requires that the source application is identified at least with this assurance.
  public static func assurance(atLeast assurance: Assurance) -> SceneRouteCondition {
    SceneRouteCondition(
      RouteCondition.Name.assurance, Assurance.allCases.filter { $0 >= assurance }.map(\.rawValue))
  }

  /// Requires one of these source applications; without an ``assurance(atLeast:)`` beside it the source may be only a claim.
  public static func source(_ applications: String...) -> SceneRouteCondition {
    SceneRouteCondition(RouteCondition.Name.source, applications)
  }

  /// Requires that the link was on a page of one of these origins, such as `https://example.org`.
  ///
  /// An origin is compared in the form in which browsers write it: in lower case, without a path and without the default port.
  public static func origin(_ origins: String...) -> SceneRouteCondition {
    SceneRouteCondition(RouteCondition.Name.origin, origins)
  }

  /// A condition that requires a user activation: a click or key press, or an allowed prompt.
  public static let userActivation = SceneRouteCondition(
    RouteCondition.Name.userActivation, UserActivation.allCases.map(\.rawValue))

  /// A condition that requires that the user allowed the request in a prompt.
  public static let allowedByUser = SceneRouteCondition(
    RouteCondition.Name.userActivation, [UserActivation.allowed.rawValue])

  /// A condition that requires a caller outside a sandbox.
  public static let outsideSandbox = SceneRouteCondition(RouteCondition.Name.sandboxed, [""])

  /// A condition that requires a caller on this machine.
  public static let onThisMachine = SceneRouteCondition(RouteCondition.Name.remote, [""])

  var routeCondition: RouteCondition {
    get throws(RouteTableError) {
      switch content {
      case .texts(let name, let texts): try RouteCondition(name, anyOf: texts)
      case .condition(let condition): condition
      }
    }
  }
}
