public import RouteTables
public import Scenes

/// What must hold of a request besides its URL, as route files say with `source`.
public struct SceneRouteCondition: Hashable, Sendable {
  private enum Content: Hashable, Sendable {
    case texts(String, [String])
    case condition(RouteCondition)
  }

  private let content: Content

  private init(_ name: String, _ texts: [String]) { content = .texts(name, texts) }

  /// Any other condition, on what `SceneRequest.routeContext` says.
  public init(_ condition: RouteCondition) { content = .condition(condition) }

  /// Who asks is known at least as surely as this.
  public static func assurance(atLeast assurance: Assurance) -> SceneRouteCondition {
    SceneRouteCondition(
      RouteCondition.Name.assurance, Assurance.allCases.filter { $0 >= assurance }.map(\.rawValue))
  }

  /// One of these applications asks; demand an ``assurance(atLeast:)`` with it, or it is a claim.
  public static func source(_ applications: String...) -> SceneRouteCondition {
    SceneRouteCondition(RouteCondition.Name.source, applications)
  }

  /// The link stood on a page of one of these origins, as `https://example.org`.
  public static func origin(_ origins: String...) -> SceneRouteCondition {
    SceneRouteCondition(RouteCondition.Name.origin, origins)
  }

  /// A person clicked or pressed something for it, or was asked and allowed it.
  public static let person = SceneRouteCondition(
    RouteCondition.Name.person, UserActivation.allCases.map(\.rawValue))

  /// A person was asked and allowed it.
  public static let allowedByPerson = SceneRouteCondition(
    RouteCondition.Name.person, [UserActivation.allowed.rawValue])

  /// The caller is in no sandbox.
  public static let outsideSandbox = SceneRouteCondition(RouteCondition.Name.sandboxed, [""])

  var routeCondition: RouteCondition {
    get throws(RouteTableError) {
      switch content {
      case .texts(let name, let texts): RouteCondition(name, try RegularLanguage(anyOf: texts))
      case .condition(let condition): condition
      }
    }
  }
}
