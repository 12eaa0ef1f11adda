import BusInterfaces
import DBus
import RouteTables

/// The report of a match, as text and as JSON.
struct MatchReport {
  private let match: RouteMatch<RouteAction>
  private let url: String
  private let source: String?

  init(_ match: RouteMatch<RouteAction>, url: String, source: String?) {
    self.match = match
    self.url = url
    self.source = source
  }

  /// The keys: `route` s, `owner` s, `pattern` s, `url` s, `captures` a{sv}, `action` a{sv}, and `file`, `line`, `column`.
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

  /// The route with its location, its captures and its action, as lines of text.
  var lines: [String] {
    let route = match.route
    var lines = ["\(route.id)  (\(route.location), \(match.pattern))"]
    lines += match.values.map { "  \($0.name) = \(JSONText.line($0.value.variant))" }
    return lines + action.sorted { $0.key < $1.key }.map { "  \($0.key): \(JSONText.line($0.value))" }
  }

  /// The action under its key in route files, with expanded templates.
  private var action: [String: Variant] {
    match.action.entries { $0.filled(by: match, url: url, source: source) }
  }
}

extension RouteValue {
  /// The value as JSON: integers and Boolean values as such, lists as arrays, all others as text.
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
