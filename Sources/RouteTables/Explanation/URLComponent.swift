/// A place in a URL, or in what a request says of itself, where a route can fail or two routes can differ.
public enum URLComponent: Hashable, Sendable, CustomStringConvertible {
  /// What stands before the first `:`.
  case scheme
  /// What follows it: `//` and a host, a path with a slash in front, or one without.
  case opening
  /// What stands before `@`.
  case user
  /// The host as a whole: how many labels it has.
  case host
  /// A label of the host, counted from the left, from 1.
  case label(Int)
  /// The port.
  case port
  /// A segment of the path, counted from the left, from 1.
  case segment(Int)
  /// A segment of the path, counted from its end, from 1.
  case lastSegment(Int)
  /// The path as a whole: how many segments it has.
  case path
  /// The items of this key.
  case query(String)
  /// What stands after `#`.
  case fragment
  /// What the request says under this name, as `source`.
  case request(String)

  /// The place as a sentence names it.
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
    case .request(let name): "the request's \(name)"
    }
  }

  /// The component, for a program.
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
