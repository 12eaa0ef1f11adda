internal import RouteTables

extension RouteFileReader {
  /// Reads the one action of a route.
  mutating func readAction(_ members: [TomlMember], of route: TomlMember) -> RouteAction? {
    let actions = members.filter { RouteFileKeys.actions.contains($0.key) }
    guard let action = actions.first else {
      // An action of a later version has had its complaint already.
      if !members.contains(where: { ["ask", "exec", "perform", "rewrite"].contains($0.key) }) {
        let names = RouteFileKeys.actions.map { "`\($0)`" }.joined(separator: ", ")
        complain(.shape, route.keyLocation, "the route `\(route.key)` does nothing: give it one of \(names)")
      }
      return nil
    }
    for other in actions.dropFirst() {
      complain(
        .shape, other.keyLocation, "the route `\(route.key)` has `\(action.key)` already: keep one of the two"
      )
    }
    if action.key == "allow" {
      if case .boolean(true) = action.value.content { return .allow }
      complain(.shape, action.value.location, "write `allow = true`, or take it out")
      return nil
    }
    guard let text = string(action.key, of: members) else { return nil }
    switch action.key {
    case "handler": return .handler(text)
    case "deny": return .deny(reason: text)
    default:
      guard !text.utf8.contains(UInt8(ascii: "/")) else {
        complain(.shape, action.value.location, "`open` takes an application's ID, as `org.example.Notes`")
        return nil
      }
      return .open(application: text)
    }
  }
}
