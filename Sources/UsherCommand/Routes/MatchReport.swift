// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import RouteTables

/// The report of a match, as text and as JSON.
struct MatchReport {
  private let match: RouteMatch<RouteAction>
  private let url: String
  private let source: String?
  /// The reason why the broker denies the action to the caller; `nil` if it does not.
  private let rejection: String?

  init(_ match: RouteMatch<RouteAction>, url: String, of request: RouteContextOptions) {
    self.match = match
    self.url = url
    source = request.placeholderSource
    rejection =
      request.isSandboxed
      ? match.route.rejection(ofSandboxedCaller: request.isNameVerified)
      : nil
  }

  /// A Boolean value that indicates whether the route rewrites the URL to itself, or finds no URL to unwrap, so that it decides nothing.
  private var isUnchanged: Bool {
    switch try? match.rewriting(of: URLString(url), source: source) {
    case .unchanged, .wrapped: true
    case .url, .invalid, nil: false
    }
  }

  /// The keys: `route` s, `owner` s, `pattern` s, `url` s, `captures` a{sv}, `action` a{sv}, and `file`, `line`, `column`; `denied` s
  /// and `unchanged` b if they apply.
  var entries: [String: Variant] {
    var entries = match.route.location.entries
    entries["route"] = .string(match.route.id)
    entries["owner"] = .string(match.route.owner)
    entries["pattern"] = .string(match.pattern.description)
    entries["url"] = .string(url)
    entries["captures"] = .dictionary(Dictionary(match.values.map { ($0.name, $0.value.variant) }) { $1 })
    entries["action"] = .dictionary(action)
    entries["denied"] = rejection.map(Variant.string)
    if isUnchanged { entries["unchanged"] = .boolean(true) }
    return entries
  }

  /// The route with its location, its captures and its action, as lines of text.
  var lines: [String] {
    let route = match.route
    var lines = ["\(route.id)  (\(route.location), \(match.pattern))"]
    lines += match.values.map { "  \($0.name) = \(JSONText.line($0.value.variant))" }
    lines += action.sorted { $0.key < $1.key }.map { "  \($0.key): \(JSONText.line($0.value))" }
    if let rejection { lines.append("  the broker denies this to a sandboxed caller: \(rejection)") }
    if isUnchanged {
      lines.append("  the route does not change the URL, so the next layer decides")
    }
    return lines
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
