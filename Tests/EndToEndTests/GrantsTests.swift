import BusInterfaces
import TestSupport
import Testing

@Suite struct `usher grants` {
  @Test func `allows, lists and revokes`() async throws {
    try await Desk.with { desk in
      #expect(try await desk.usher("grants").output.isEmpty)
      let kept = try await desk.usher(
        "grants", "allow", "--json", "--source", "org.example.Chat.desktop", "--scheme", "NOTES:", "--days",
        "1")
      let grant = try PropertyList(json: try kept.orThrow().output)
      #expect(grant["source-application"] == "org.example.Chat" && grant["scheme"] == "notes")
      #expect(grant["answer"] == "yes" && grant["assurance"] == "executable")
      #expect((grant["expires"]?.integer ?? 0) - (grant["time"]?.integer ?? 0) == 86_400_000_000)
      try await desk.usher(
        "grants", "allow", "--origin", "https://u:p@Shop.example:443/x", "--refuse", "--forever"
      )
      .orThrow()
      let lines = try await desk.usher("grants", "list").lines
      #expect(lines.count == 2 && lines[0] == "refused  origin https://shop.example  without end", "\(lines)")
      #expect(
        lines[1].hasPrefix("allowed  from org.example.Chat, scheme notes (executable or surer)  until 20"))
      let listed = try await desk.usher("grants", "list", "--json", "--scheme", "notes")
      #expect(try PropertyList(json: listed.output)["grants"]?.array?.count == 1)
      // They outlive the broker.
      try await desk.killBroker()
      #expect(try await desk.usher("grants", "list").lines.count == 2)
      let none = try await desk.usher("grants", "revoke", "--json", "--scheme", "tel")
      #expect(none.status == 1 && none.output == "{\"revoked\":0}\n", "\(none)")
      #expect(try await desk.usher("grants", "revoke", "--all").output == "2 grants revoked\n")
    }
  }

  @Test(arguments: [
    ["allow"], ["revoke"], ["revoke", "--all", "--scheme", "x"], ["allow", "--scheme", "1x"],
    ["allow", "--scheme", "x", "--days", "0"], ["allow", "--scheme", "x", "--days", "1", "--forever"],
    ["allow", "--scheme", "x", "--assurance", "sure"], ["allow", "--scheme", "x", "--refuse", "--app", "a"],
    ["allow", "--origin", "shop.example"],
  ])
  func `tells what is wrong with its arguments`(arguments: [String]) async throws {
    try await Desk.with { desk in
      let result = try await desk.run("usher", ["grants"] + arguments)
      #expect(result.status == 64, "\(result)")
      #expect(!result.errorOutput.isEmpty)
    }
  }

  @Test func `needs the broker`() async throws {
    let result = try await Command.run(BuiltProducts.usher, ["grants", "list"])
    #expect(result.status == 69, "\(result)")
  }
}
