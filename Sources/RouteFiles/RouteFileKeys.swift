// SPDX-License-Identifier: Apache-2.0
internal import RouteTables

/// The valid keys of one kind of table in a route file.
struct RouteFileKeys {
  /// The name of the kind of table in a message.
  let place: String
  let keys: [String]

  /// Returns the message for an unknown key; `nil` if `key` is known.
  func refusal(of key: String) -> String? {
    if keys.contains(key) { return nil }
    if place == Self.source.place, ["user", "users", "group", "groups", "uid", "gid"].contains(key) {
      return
        "`\(key)` is not a key of `source`, because conditions cannot select a desktop user or group; put the route into that user's ~/.config/usher/routes"
    }
    if let other = Self.all.first(where: { $0.keys.contains(key) }), !keys.isEmpty {
      return "`\(key)` is not a key of \(place): it is a key of \(other.place)"
    }
    return "unknown key `\(key)`; the nearest is `\(key.nearest(in: keys) ?? "")`"
  }

  private static let options = ["authority", "case", "plus", "slash", "user"]
  private static let conditions = ["source", "target", "running"]

  static let file = RouteFileKeys(
    place: "the file",
    keys: ["format", "owner", "types", "group", "route", "overlap"] + options)

  static let group = RouteFileKeys(place: "a group", keys: ["base"] + options + conditions)

  static let actions = ["handler", "open", "perform", "exec", "rewrite", "ask", "allow", "deny"]

  static let route = RouteFileKeys(
    place: "a route",
    keys: ["match", "scheme", "group"] + actions + [
      "remember", "requires_confirmation", "final", "wins_over", "generate", "secret", "tests",
    ]
      + options + conditions)

  static let tests = RouteFileKeys(place: "`tests`", keys: ["yes", "no", "decide"])
  static let decision = RouteFileKeys(
    place: "an entry of `tests.decide`", keys: ["url", "source", "target", "running", "is", "by"])
  static let source = RouteFileKeys(
    place: "`source`",
    keys: ["application", "assurance", "installed", "origin", "remote", "sandboxed", "user_activation"])
  static let running = RouteFileKeys(place: "`running`", keys: ["any", "none"])
  static let scheme = RouteFileKeys(place: "`scheme`", keys: ["except"])
  static let perform = RouteFileKeys(place: "`perform`", keys: ["application", "action"])
  static let browser = RouteFileKeys(
    place: "a browser", keys: ["browser", "profile", "private", "new_window"])
  static let rewrite = RouteFileKeys(place: "`rewrite`", keys: ["to", "drop", "unwrap", "first"])

  /// The tables that are searched for a key that is in the wrong table.
  private static let all = [file, group, route]
}
