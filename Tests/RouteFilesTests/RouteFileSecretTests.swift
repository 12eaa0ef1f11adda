// SPDX-License-Identifier: Apache-2.0
import RouteTables
import Testing

@testable import RouteFiles

@Suite struct `The secrets of a route file` {
  private func read(_ secret: String) -> RouteFileSet {
    RouteFileSet([
      RouteFileSource(
        name: "a.toml",
        text: """
          format = 1
          owner = "user"
          [route.reset]
          match = ["https://h/reset/{token}?user={user}", "https://h/r/{token}"]
          allow = true
          secret = \(secret)
          """)
    ])
  }

  @Test(arguments: [
    (#""token""#, ["token"]), (#"["token", "user"]"#, ["token", "user"]), ("true", ["token", "user"]),
  ])
  func `are captures by name, or all of them`(secret: String, names: [String]) {
    let set = read(secret)
    #expect(set.diagnostics == [])
    #expect(set.table.routes.first?.secretCaptures == Set(names))
  }

  @Test(arguments: [
    (#""tokn""#, "6:10: the route has no capture `tokn`; the nearest is `token`"),
    (#"["token", "usr"]"#, "6:20: the route has no capture `usr`; the nearest is `user`"),
    ("false", "6:10: write `secret = true`, or remove the key"),
    ("[]", "6:10: the list is empty: write the name of a capture"),
    ("7", "6:10: expected the name of a capture (a string), but this is an integer"),
  ])
  func `with errors have diagnostics, and the route is omitted`(secret: String, diagnostic: String) {
    let set = read(secret)
    #expect(set.diagnostics.map(\.description) == ["a.toml:" + diagnostic])
    #expect(set.table.routes.isEmpty)
  }
}
