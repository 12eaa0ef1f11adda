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
  /// Of a URL, the origin counts, as in JavaScript: capitals, a path, a user and the default port have no effect. The table cannot be built
  /// with a text without `scheme://` other than `null`, or if the host or port of `https` or `http` is invalid, or the host contains `*` or
  /// is not in ASCII.
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
      case .texts(RouteCondition.Name.origin, let origins):
        try RouteCondition(RouteCondition.Name.origin, anyOf: origins.map(Self.canonicalOrigin))
      case .texts(let name, let texts): try RouteCondition(name, anyOf: texts)
      case .condition(let condition): condition
      }
    }
  }

  /// Returns the origin of a web page as browsers write it, and that of another scheme unchanged.
  private static func canonicalOrigin(_ text: String) throws(RouteTableError) -> String {
    do throws(RouteTableError) {
      return try readOrigin(text)
    } catch {
      throw error.placed(in: text, at: nil)
    }
  }

  private static func readOrigin(_ text: String) throws(RouteTableError) -> String {
    guard text != "null" else { return text }
    let scheme = text.foldedScheme ?? ""
    guard scheme != "https", scheme != "http" else { return try readWebOrigin(text, scheme) }
    guard !scheme.isEmpty, text.utf8.dropFirst(scheme.utf8.count).starts(with: "://".utf8),
      scheme.utf8.allSatisfy({ "abcdefghijklmnopqrstuvwxyz0123456789+-.".utf8.contains($0) })
    else { throw RouteTableError(.invalidURL) }
    return text
  }

  private static func readWebOrigin(_ text: String, _ scheme: String) throws(RouteTableError) -> String {
    let authority = try URLAuthority(text)
    guard let host = authority.host, !host.utf8.contains(UInt8(ascii: "*")) else {
      throw RouteTableError(.invalidHost)
    }
    let written = authority.text.utf8.split { "/@".utf8.contains($0) }.last?.prefix {
      $0 != UInt8(ascii: ":")
    }
    // The dot of a fully qualified name, which `host` lacks, is a part of the origin.
    let dot = written?.last == UInt8(ascii: ".") ? "." : ""
    return "\(scheme)://\(host)\(dot)" + (authority.port.map { ":\($0)" } ?? "")
  }
}
