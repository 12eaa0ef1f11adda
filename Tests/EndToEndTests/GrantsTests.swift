// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

@Suite struct `usher grants` {
  @Test func `allows, lists and revokes`() async throws {
    try await InstalledDesktop.with { desk in
      #expect(try await desk.usher("grants").output.isEmpty)
      let kept = try await desk.usher(
        "grants", "allow", "--json", "--source", "org.example.Chat.desktop", "--scheme", "NOTES:", "--days",
        "1")
      let grant = try PropertyList(json: try kept.orThrow().output)
      #expect(grant["source-application"] == "org.example.Chat" && grant["scheme"] == "notes")
      #expect(grant["answer"] == "yes" && grant["assurance"] == "executable")
      #expect((grant["expires"]?.integer ?? 0) - (grant["time"]?.integer ?? 0) == 86_400_000_000)
      try await desk.usher(
        "grants", "allow", "--origin", "https://u:p@Shop.example:443/x", "--scheme", "notes", "--refuse",
        "--forever"
      )
      .orThrow()
      let lines = try await desk.usher("grants", "list").lines
      #expect(
        lines.count == 2 && lines[0] == "refused  origin https://shop.example, scheme notes  without expiry",
        "\(lines)")
      #expect(
        lines[1].hasPrefix(
          "allowed  from org.example.Chat, scheme notes, in a sandbox (identified by the sandbox or the unit)  until 20"
        ))
      let listed = try await desk.usher("grants", "list", "--json", "--source", "org.example.Chat")
      #expect(try PropertyList(json: listed.output)["grants"]?.array?.count == 1)
      // Grants survive the broker.
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
    ["allow", "--origin", "shop.example"], ["allow", "--permission", "notifications"],
    ["allow", "org.a"], ["allow", "--permission", "nothing", "org.a"],
    ["allow", "--permission", "notifications", "org.a", "--scheme", "x"],
    ["allow", "--permission", "notifications", "--source", "org.a"],
    ["allow", "--permission", "notifications", "org.a", "--app", "org.b"],
    ["list", "org.a"], ["revoke", "--permission", "notifications", "--all"],
  ])
  func `reports errors in its arguments`(arguments: [String]) async throws {
    try await InstalledDesktop.with { desk in
      let result = try await desk.run("usher", ["grants"] + arguments)
      #expect(result.status == 64, "\(result)")
      #expect(!result.errorOutput.isEmpty)
    }
  }

  @Test func `answers the question of a route, in exactly its scope`() async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.writeRoutes(
        "rules.toml",
        """
        [route.calls]
        match = "tel:{x}"
        ask = true
        remember = "source+scheme"
        [route.pages]
        match = "https://{:a|b}.example/{x...?}"
        source = "org.a"
        ask = true
        remember = "source+host"
        [route.never]
        match = "sms:{x}"
        ask = true
        [route.opens]
        match = "x:{x}"
        allow = true
        [route.which]
        match = "which:{x}"
        ask = ["org.example.One", "org.example.Two"]
        remember = "scheme"
        """)
      for (words, part) in [
        (["--scheme", "tel"], "source-application and scheme (for a sandboxed application)"),
        (["--source", "org.a", "--scheme", "tel", "--host", "a"], "give source-application and scheme"),
        (["--route", "opens", "--source", "org.a"], "no route “opens” asks"),
        (["--route", "calls", "--layer", "final", "--source", "org.a"], "asks in the layer final"),
        (["--route", "never"], "has no `remember`"),
        (
          ["--route", "calls", "--source", "org.a"], "give exactly source and scheme in addition to the route"
        ),
        (["--source", "org.a", "--scheme", "tel", "--sandboxed"], "need --route"),
        (
          ["--route", "calls", "--source", "org.a", "--scheme", "zork"],
          "the route “user/calls” never asks about links with this scope"
        ),
        (
          ["--route", "pages", "--source", "org.a", "--host", "a.other"],
          "never asks about links with this scope"
        ),
        (
          ["--route", "pages", "--source", "org.b", "--host", "a.example"],
          "never asks about links with this scope"
        ),
        (
          ["--source", "org.a", "--scheme", "javascript"], "the broker never asks about links with this scope"
        ),
        (["--source", "org.a", "--scheme", "file"], "because it always rejects such file: links"),
        (
          ["--origin", "https://a.example", "--scheme", "x", "--assurance", "unit"],
          "--assurance needs --source"
        ),
        (["--source", "org.a", "--scheme", "x", "--assurance", "unknown"], "unknown"),
        (
          ["--route", "which", "--scheme", "which"],
          "asks which application opens the link; name one of its applications (--app): org.example.One, org.example.Two"
        ),
        (
          ["--route", "which", "--scheme", "which", "--app", "org.example.Three"],
          "does not offer org.example.Three"
        ),
        (
          ["--route", "calls", "--source", "org.a", "--scheme", "tel", "--app", "org.example.One"],
          "asks only whether the link may be opened, so it cannot choose org.example.One"
        ),
        (
          ["--source", "org.a", "--scheme", "notes", "--app", "org.example.One"],
          "cannot choose org.example.One"
        ),
      ] {
        let result = try await desk.run("usher", ["grants", "allow"] + words)
        #expect(result.status != 0 && result.errorOutput.contains(part), "\(words): \(result)")
      }
      #expect(try await desk.usher("grants").output.isEmpty)
      let kept = try await desk.usher(
        "grants", "allow", "--route", "calls", "--source", "org.a", "--scheme", "tel")
      #expect(
        kept.output.hasPrefix(
          "allowed  from org.a, scheme tel, route user/calls (user) (executable or higher)"),
        "\(kept)")
      try await desk.usher("grants", "allow", "--route", "pages", "--source", "org.a", "--host", "a.example")
        .orThrow()
      #expect(try await desk.usher("grants", "revoke", "--route", "calls").output == "1 grant revoked\n")
      for id in ["org.example.One", "org.example.Two"] {
        try desk.desktop.installDesktopEntry(id, exec: "true %u", schemes: ["which"])
      }
      let asked = try await desk.usher("explain", "--json", "--skip-comparison", "which:1")
      let command = try #require(
        try PropertyList(json: asked.output)["remedy"]?.string?.split(separator: "run: usher ").last)
      try await desk.run("usher", command.split(separator: " ").map(String.init)).orThrow()
      let answered = try await desk.usher("explain", "--json", "--skip-comparison", "which:1")
      #expect(try PropertyList(json: answered.output)["application"] == "org.example.One", "\(answered)")
    }
  }

  @Test func `allows, lists and revokes a permission of an application`() async throws {
    try await InstalledDesktop.with { desk in
      let permission = ["--permission", "notifications"]
      let kept = try await desk.run(
        "usher", ["grants", "allow", "--json"] + permission + ["org.example.Notes.desktop"])
      let grant = try PropertyList(json: try kept.orThrow().output)
      #expect(grant["source-application"] == "org.example.Notes" && grant["permission"] == "notifications")
      #expect(grant["answer"] == "yes" && grant["assurance"] == nil && grant["expires"] == nil, "\(grant)")
      try await desk.run("usher", ["grants", "allow", "--refuse"] + permission + ["org.example.Chat"])
        .orThrow()
      try await desk.usher("grants", "allow", "--source", "org.example.Chat", "--scheme", "notes").orThrow()
      let listed = try await desk.run("usher", ["grants", "list"] + permission)
      #expect(
        listed.lines == [
          "refused  notifications of org.example.Chat  without expiry",
          "allowed  notifications of org.example.Notes  without expiry",
        ], "\(listed)")
      let one = try await desk.run("usher", ["grants", "list"] + permission + ["org.example.Chat"])
      #expect(one.lines.count == 1, "\(one)")
      // A later answer replaces the earlier one.
      try await desk.run("usher", ["grants", "allow", "--days", "1"] + permission + ["org.example.Chat"])
        .orThrow()
      let replaced = try await desk.run("usher", ["grants", "list"] + permission + ["org.example.Chat"])
      #expect(replaced.lines.count == 1 && replaced.output.hasPrefix("allowed  "), "\(replaced)")
      #expect(replaced.output.contains("  until 20"), "\(replaced)")
      let revoked = try await desk.run("usher", ["grants", "revoke"] + permission + ["org.example.Chat"])
      #expect(revoked.output == "1 grant revoked\n")
      #expect(try await desk.usher("grants", "list").lines.count == 2)
    }
  }

  @Test(arguments: [
    "{'permission': <'notifications'>}", "{'permission': <'telepathy'>, 'source-application': <'org.a'>}",
    "{'permission': <'notifications'>, 'source-application': <'org.a'>, 'scheme': <'x'>}",
    "{'permission': <'notifications'>, 'source-application': <'org.a'>, 'assurance': <'unit'>}",
    "{'permission': <'notifications'>, 'source-application': <'org.a'>, 'sandboxed': <true>}",
    "{'permission': <'notifications'>, 'source-application': <'org.a'>, 'answer': <'org.b'>}",
  ])
  func `stores no permission with another scope or answer`(grant: String) async throws {
    try await InstalledDesktop.with { desk in
      let result = try await desk.run(
        "gdbus",
        [
          "call", "--session", "--dest", "org.usher.Broker1", "--object-path", "/org/usher/Broker1",
          "--method",
          "org.usher.Broker1.Allow", grant,
        ])
      #expect(result.errorOutput.contains("org.usher.Error.InvalidRequest"), "\(result)")
      #expect(try await desk.usher("grants", "list").output.isEmpty)
    }
  }

  @Test func `allow replaces answers that are about some of the same callers, and no others`() async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.installDesktopEntry("org.example.Phone", exec: "true %u", schemes: ["tel"])
      try desk.desktop.setDefaults(["tel": ["org.usher.Handler", "org.example.Phone"]])
      try desk.desktop.writeRoutes(
        "rules.toml", "[route.calls]\nmatch = \"tel:{x}\"\nask = true\nremember = \"source+scheme\"\n")
      func answer(_ words: String...) async throws {
        let scope = ["--route", "calls", "--source", "org.a", "--scheme", "tel"]
        try await desk.run("usher", ["grants", "allow"] + scope + words).orThrow()
      }
      func expect(_ decisions: [String: String]) async throws {
        for (assurance, decision) in decisions {
          let explained = try await desk.usher(
            "explain", "--json", "--skip-comparison", "--as", "org.a:\(assurance)", "tel:1")
          let found = try PropertyList(json: explained.output)["decision"]?.string
          #expect(found == decision, "\(assurance): \(explained)")
        }
      }
      try await answer("--assurance", "unit")
      try await expect(["unit": "deliver", "executable": "ask"])
      // The refusal is about the callers of the earlier answer, too.
      try await answer("--refuse")
      try await expect(["unit": "deny", "executable": "deny", "claimed": "ask"])
      // It ends consent about those whose name is only claimed, and they are not refused.
      try await answer("--assurance", "claimed")
      try await expect(["unit": "deliver", "claimed": "deliver"])
      try await answer("--refuse")
      try await expect(["unit": "deny", "claimed": "ask"])
      try await answer("--refuse", "--assurance", "unit")
      try await answer()
      try await expect(["unit": "deliver", "executable": "deliver"])
      // An answer about those whose name is only claimed has all callers; one about the others does not have these.
      try await answer("--refuse", "--assurance", "claimed")
      try await expect(["unit": "deny", "claimed": "deny"])
      try await answer("--assurance", "unit")
      try await expect(["unit": "deliver", "executable": "deny"])
      #expect(try await desk.usher("grants", "list").lines.count == 2)
    }
  }

  @Test func `needs the broker`() async throws {
    let result = try await Command.run(BuiltProducts.usher, ["grants", "list"])
    #expect(result.status == 69, "\(result)")
  }
}
