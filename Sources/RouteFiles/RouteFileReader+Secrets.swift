// SPDX-License-Identifier: Apache-2.0
internal import RouteTables

extension RouteFileReader {
  /// Reads `secret`: `true` for all captures of the route, or the names of some.
  ///
  /// `patterns` is `nil` if they could not be parsed.
  mutating func readSecret(_ members: [TomlMember], _ patterns: [RoutePattern]?) -> Set<String> {
    guard let value = members.first(where: { $0.key == "secret" })?.value else { return [] }
    let known = Set((patterns ?? []).flatMap(\.captures).map(\.name))
    if case .boolean(let isSecret) = value.content {
      if !isSecret { report(.shape, at: value.location, "write `secret = true`, or remove the key") }
      return known
    }
    var secret: Set<String> = []
    for text in texts(value, "the name of a capture") {
      secret.insert(text.text)
      guard patterns != nil, !known.contains(text.text) else { continue }
      let nearest = text.text.nearest(in: known.sorted()).map { "; the nearest is `\($0)`" } ?? ""
      report(.shape, at: text.location, "the route has no capture `\(text.text)`" + nearest)
    }
    return secret
  }
}
