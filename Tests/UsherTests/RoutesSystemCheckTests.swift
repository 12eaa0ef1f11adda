// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `usher routes check says what it read` {
  private static let head = "format = 1\nowner = \"corp\"\n"

  private func desktop() throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.write(
      Self.head + """
        [route.no]
        scheme = "corpal"
        deny = "no"
        final = true
        [route.wiki]
        match = "wiki:{x}"
        allow = true
        """, to: "etc/usher/routes/corp.toml")
    try desktop.write(
      Self.head + "[route.bad]\nmatch = \"bad:{x}\"\ndney = \"no\"\n", to: "etc/usher/routes/bad.toml")
    try desktop.write("[route", to: "etc/usher/routes/worse.toml")
    try desktop.installRoutes(
      "mine", "format = 1\nowner = \"user\"\n[route.x]\nmatch = \"x:y\"\nallow = true\ntests.no = [\"x:y\"]\n"
    )
    return desktop
  }

  @Test func `Without a path it names the directory and the routes of each file`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let directory = "\(desktop.configHome)/usher/routes"
    let none = try await desktop.usher("routes", "check")
    #expect(
      none.status == 0 && none.output.isEmpty
        && none.errorOutput.hasPrefix(
          "usher: read \(directory): does not exist\n  try: usher routes check --system  # check the route files of all layers\n"
        ),
      "\(none)")
    try desktop.installRoutes(
      "mine", "format = 1\nowner = \"user\"\n[route.x]\nmatch = \"x:y\"\nallow = true\n")
    try desktop.installRoutes("other", "format = 1\nowner = \"user\"\n")
    let some = try await desktop.usher("routes", "check")
    #expect(
      some.status == 0
        && some.errorOutput
          == "usher: read \(directory): mine.toml (1 route), other.toml (0 routes)\nusher: 1 route, 0 tests, width 1, 0 diagnostics\n",
      "\(some)")
    let named = try await desktop.usher("routes", "check", directory)
    #expect(named.errorOutput == "usher: 1 route, 0 tests, width 1, 0 diagnostics\n", "\(named)")
  }

  @Test func `With --system, it lists the layers, the final routes, and the version of each file in force`()
    async throws
  {
    let desktop = try desktop()
    let result = try await desktop.usher("routes", "check", "--system")
    let corp = "\(desktop.systemConfig)/usher/routes"
    let moment = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z"
    let reported = result.output.replacing(try Regex(moment), with: "DATE")
    let expected = [
      "The administrator's final routes", "  \(corp)/corp.toml: no", "The user's routes",
      "  \(desktop.configHome)/usher/routes", "    mine.toml: 1 route, current since DATE",
      "The administrator's routes", "  \(corp)",
      "    bad.toml: 0 routes, without its erroneous routes since DATE",
      "    corp.toml: 2 routes, 1 final, current since DATE",
      "    worse.toml: not in force since DATE, because it has errors",
      "  /etc/xdg/usher/routes: does not exist", "The routes of applications",
      "  \(desktop.dataHome)/usher/routes: does not exist",
      "  \(desktop.systemData)/usher/routes: does not exist",
    ]
    #expect(reported.split(separator: "\n").prefix(expected.count).map(String.init) == expected, "\(result)")
    let rest = reported.split(separator: "\n").dropFirst(expected.count)
    #expect(
      rest.contains {
        $0.hasPrefix("\(corp)/bad.toml:5:1: error: ") && $0.contains("no earlier version without errors")
      }
    )
    #expect(
      rest.contains { $0.hasPrefix("\(desktop.configHome)/usher/routes/mine.toml:6:") }, "a test that fails")
    #expect(result.status == 1)
    let (object, _) = try await desktop.usherJSON("routes", "check", "--system")
    #expect(object.objects("layers").map { $0["layer"] } == ["user", "administrator", "programs"])
  }

  @Test func `Valid layers exit with 0, and --system excludes a path`()
    async throws
  {
    let desktop = try desktop()
    for name in ["bad", "worse"] {
      try FileManager.default.removeItem(atPath: "\(desktop.systemConfig)/usher/routes/\(name).toml")
    }
    try desktop.installRoutes(
      "mine", "format = 1\nowner = \"user\"\n[route.x]\nmatch = \"x:y\"\nallow = true\n")
    let right = try await desktop.usher("routes", "check", "--system")
    #expect(
      right.status == 0
        && right.errorOutput.wholeMatch(of: /usher: 3 routes, 0 tests, width \d, 0 diagnostics\n/) != nil,
      "\(right)")
    #expect(try await desktop.usher("routes", "check", "--system", "x.toml").status == 64)
    try desktop.installRoutes("gone", "")
    try FileManager.default.removeItem(atPath: "\(desktop.configHome)/usher/routes/gone.toml")
    try FileManager.default.createDirectory(
      atPath: "\(desktop.configHome)/usher/routes/gone.toml", withIntermediateDirectories: true)
    #expect(try await desktop.usher("routes", "check", "--system").status == 66)
    #expect(try await desktop.usher("routes", "check").status == 66)
  }
}
