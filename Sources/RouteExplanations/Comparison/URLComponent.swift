// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// A component of a URL, or a condition of its request, in which a route can fail or two routes can differ.
public enum URLComponent: Hashable, Sendable, CustomStringConvertible {
  /// The scheme, before the first `:`.
  case scheme
  /// The form after the scheme: `//` and a host, a path with a leading slash, or a path without one.
  case opening
  /// The user, before `@`.
  case user
  /// The host as a whole, by its number of labels.
  case host
  /// A label of the host, counted from the left, from 1.
  case label(Int)
  /// The port.
  case port
  /// A segment of the path, counted from the left, from 1.
  case segment(Int)
  /// A segment of the path, counted from the end, from 1.
  case lastSegment(Int)
  /// The path as a whole, by its number of segments.
  case path
  /// The query items with this key.
  case query(String)
  /// The fragment, after `#`.
  case fragment
  /// The condition with this name, such as `source`.
  case request(String)

  /// The component as a phrase for use in a sentence.
  public var description: String {
    switch self {
    case .scheme: "the scheme"
    case .opening: "what follows the scheme"
    case .user: "the user"
    case .host: "the host"
    case .label(let number): "label \(number) of the host"
    case .port: "the port"
    case .segment(let number): "segment \(number)"
    case .lastSegment(1): "the last segment"
    case .lastSegment(let number): "segment \(number) from the end"
    case .path: "the path"
    case .query(let key): "`\(key)` in the query"
    case .fragment: "the fragment"
    case .request(RouteCondition.Name.running): "the running applications"
    case .request(let name): "the request's \(name)"
    }
  }

  /// The name of the component in machine-readable output.
  public var component: String {
    switch self {
    case .scheme, .opening: "scheme"
    case .user: "user"
    case .host, .label: "host"
    case .port: "port"
    case .segment, .lastSegment, .path: "path"
    case .query: "query"
    case .fragment: "fragment"
    case .request: "request"
    }
  }
}
