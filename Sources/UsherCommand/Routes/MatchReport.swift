import BusInterfaces
import DBus
import RouteTables

/// A match as it is told to a person, and to a program.
struct MatchReport {
  private let match: RouteMatch<RouteAction>
  private let url: String
  private let source: String?

  init(_ match: RouteMatch<RouteAction>, url: String, source: String?) {
    self.match = match
    self.url = url
    self.source = source
  }

  /// `route` s, `owner` s, `pattern` s, `url` s, `captures` a{sv}, `action` a{sv}, and `file`, `line`, `column`.
  var entries: [String: Variant] {
    var entries = match.route.location.entries
    entries["route"] = .string(match.route.id)
    entries["owner"] = .string(match.route.owner)
    entries["pattern"] = .string(match.pattern.description)
    entries["url"] = .string(url)
    entries["captures"] = .dictionary(Dictionary(match.values.map { ($0.name, $0.value.variant) }) { $1 })
    entries["action"] = .dictionary(action)
    return entries
  }

  /// The route, its place, its captures and its action, for a person.
  var lines: [String] {
    let route = match.route
    var lines = ["\(route.id)  (\(route.location), \(match.pattern))"]
    lines += match.values.map { "  \($0.name) = \(JSONText.line($0.value.variant))" }
    return lines + action.sorted { $0.key < $1.key }.map { "  \($0.key): \(JSONText.line($0.value))" }
  }

  /// The action under its key in route files, its templates filled.
  private var action: [String: Variant] {
    match.action.entries { $0.filled(by: match, url: url, source: source) }
  }
}

extension RouteValue {
  /// Integers and booleans as such, lists as arrays, all else as text.
  var variant: Variant {
    switch self {
    case .string(let text): .string(text)
    case .int(let value): .int64(value)
    case .uint(let value): .uint64(value)
    case .bool(let value): .boolean(value)
    case .strings(let texts): .strings(texts)
    }
  }
}
