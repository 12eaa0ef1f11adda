// SPDX-License-Identifier: Apache-2.0
@testable import RouteTables
import Testing

@Suite struct `The article on the routers of web servers` {
  @Test func `Methods are conditions`() throws {
    let reading = try RouteCondition("method", anyOf: ["GET", "HEAD"])
    let creating = try RouteCondition("method", anyOf: ["POST"])
    let server = try RouteTable<String> { routes throws(RouteTableError) in
      try routes.add("/articles/{id:uint}", id: "article", action: "show", when: [reading])
      try routes.add("/articles", id: "articles", action: "list", when: [reading])
      try routes.add("/articles", id: "create", action: "create", when: [creating])
      try routes.add("/articles/{rest...?}", id: "other", action: "405")
      try routes.add("/static/{path...}", id: "static", action: "file", when: [reading])
    }
    #expect(try server.match("/articles/7", when: ["method": "GET"])?.action == "show")
    #expect(try server.match("/articles", when: ["method": "POST"])?.action == "create")
    #expect(try server.match("/articles/7", when: ["method": "PUT"])?.action == "405")
    #expect(try server.match("/static/app.js", when: ["method": "POST"]) == nil)
    let target = "/articles/7"
    if let found = try server.find(target, when: ["method": "GET"]) {
      #expect(found.routeIndex == 0)
      #expect(found.text(ofCapture: 0)?.uint(in: target) == 7)
    }
  }
}
