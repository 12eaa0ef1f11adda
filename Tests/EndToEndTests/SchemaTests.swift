// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// The JSON output with a broker; UsherTests has the output without one.
@Suite struct `JSON output with a broker matches the schemas` {
  @Test func `Receipts, the history and the monitor`() async throws {
    try await InstalledDesktop.with { desk in
      let monitor = try await RunningProgram.start(
        "usher", ["monitor", "--json"], environment: desk.desktop.environment)
      var watched = [try await monitor.line { $0.contains("watching") }]
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      try desk.desktop.installRoutes(
        "no", "format = 1\nowner = \"user\"\n[route.no]\nmatch = \"served:no\"\ndeny = \"no\"\n")
      var receipts: [String] = []
      for words in [
        ["--wait", "handled", "served:1"], ["--wait", "accepted", "served:2"], ["served:3", "nobody:1"],
        ["served:no"],
        ["--origin", "nonsense", "served:1"],
        ["--source-application", "org.example.Chat", "served:4?q=secret"],
      ] { receipts += try await desk.run("usher", ["open", "--json"] + words).lines }
      #expect(receipts.count == 6)
      #expect(try await JSONSchema("usher-open").diagnostics(about: receipts) == [], "\(receipts)")

      _ = try await desk.usher("open", "nobody:last")
      while watched.last?.contains("nobody:last") != true { watched.append(try await monitor.line()) }
      monitor.terminate()
      _ = await monitor.waitUntilExit()
      watched.append(#"{"event":"missed","time":1,"count":3}"#)
      #expect(try await JSONSchema("usher-monitor").diagnostics(about: watched) == [], "\(watched)")

      let history = try await desk.usher("history", "--json").lines
      #expect(try PropertyList(json: history.joined())["entries"]?.array?.count ?? 0 > 5)
      #expect(try await JSONSchema("usher-history").diagnostics(about: history) == [], "\(history)")
    }
  }

  @Test func `Applications that start, reply and fail, and usher doctor`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await Target.install(.scenes, on: desk.desktop)
      _ = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes, .plain])
      try desk.desktop.installDesktopEntry("fails", exec: "/bin/false %u", schemes: ["fails"])
      try desk.desktop.installDesktopEntry("gone", exec: "/nowhere/gone %u", schemes: ["gone"])
      var receipts: [String] = []
      for words in [
        ["--wait", "handled", "notes://note/1"], ["--wait", "handled", "notes://note/2"],
        ["notes://note/3", "play:1"],
        ["--app", "fails", "--wait", "handled", "fails:1"], ["--app", "gone", "gone:1"],
        ["--timeout", "0.01", "--wait", "handled", "notes:nothing-of-the-kind"],
      ] { receipts += try await desk.run("usher", ["open", "--json"] + words).lines }
      #expect(receipts.count == 6 && receipts[0].contains(#""delivery":"launch""#), "\(receipts)")
      #expect(receipts[1].contains(#""delivery":"running""#), "\(receipts)")
      #expect(try await JSONSchema("usher-open").diagnostics(about: receipts) == [], "\(receipts)")
      let history = try await desk.usher("history", "--json").lines
      #expect(try await JSONSchema("usher-history").diagnostics(about: history) == [], "\(history)")
      var rehearsals: [String] = []
      for words in [["warm"], ["suspended"], ["cold"], ["cold", "--restart"]] {
        rehearsals += try await desk.run(
          "usher", ["test-open", "--json", "--simulate"] + words + ["org.example.Notes", "notes://note/7"]
        ).lines
      }
      #expect(rehearsals.count == 4 && rehearsals[2].contains(#""error":"cannot-run""#), "\(rehearsals)")
      #expect(try await JSONSchema("usher-test-open").diagnostics(about: rehearsals) == [], "\(rehearsals)")
      let doctor = try await desk.usher("doctor", "--json").lines
      #expect(doctor.first?.contains("/nowhere/gone") == true, "\(doctor)")
      #expect(try await JSONSchema("usher-doctor").diagnostics(about: doctor) == [], "\(doctor)")
    }
  }

  @Test func `Explanations, from inside the application too`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.explaining.open()
      var reported: [String] = []
      for words in [
        ["--in-app", "served:1"], ["served:1"], ["nobody:1"],
        ["--origin", "https://shop.example", "served:1"],
      ] {
        reported += try await desk.run("usher", ["explain", "--skip-comparison", "--json"] + words).lines
      }
      #expect(reported.count == 4 && reported[0].contains("\"scene\""))
      try desk.desktop.writeRoutes(
        "rules.toml",
        """
        [route.all]
        match = "served:{any}"
        allow = true
        [route.one]
        match = "served:1"
        open = "org.example.Nothing"
        [route.pair]
        match = "served:{a:uint}-{b:uint}"
        allow = true

        """)
      for url in ["served:1", "served:1-x"] {
        reported += try await desk.run("usher", ["explain", "--skip-comparison", "--json", url]).lines
      }
      #expect(reported[4].contains(#""winner":{"#) && reported[4].contains(#""losers":[{"#), "\(reported)")
      #expect(reported[5].contains(#""near-misses":[{"#), "\(reported)")
      #expect(try await JSONSchema("usher-explain").diagnostics(about: reported) == [], "\(reported)")
      let dry = try await desk.usher("open", "--dry-run", "--json", "served:1", "nobody:1").lines
      #expect(try await JSONSchema("usher-open-dry-run").diagnostics(about: dry) == [], "\(dry)")
    }
  }

  @Test func `Notifications`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let server = try await NotificationServer.start(on: desk)
      let id = ServedApplication.id
      var added: [String] = []
      for words in [
        ["--title", "A", "--subtitle", "S", "--body", "B", "--sound", "default", "--badge", "1"],
        ["--title", "B", "--in", "1h", "--action", "show=Show", "--user-info", #"{"note": [7, 1.5, true]}"#],
        [
          "--title", "C", "--every", "2h", "--thread", "t", "--category", "c", "--target-content-id",
          "note-7",
        ],
        ["--title", "D", "--calendar", "year=2099,month=12,day=24,hour=18,minute=1,second=2"],
        ["--title", "E", "--at", "09:00", "--every", "monday", "--time-zone", "Europe/Berlin"],
        ["--title", "F", "--at", "2099-12-01T09:00:00Z"],
        ["--title", "G", "--in", "1h", "--time-zone", "Europe/Berlin"],
      ] { added += try await desk.run("usher", ["notify", id, "--json"] + words).lines }
      #expect(try await JSONSchema("usher-notify-add").diagnostics(about: added) == [], "\(added)")
      _ = try await server.next(1)
      var listed = try await desk.usher("notify", "list", "--json", id).lines
      let list = try PropertyList(json: listed.joined())
      #expect(list["pending"]?.array?.count == 5 && list["delivered"]?.array?.count == 1, "\(listed)")
      listed += try await desk.usher("notify", "list", "--json", "a/b").lines
      #expect(listed.count == 2)
      #expect(try await JSONSchema("usher-notify-list").diagnostics(about: listed) == [], "\(listed)")
      let settings =
        try await desk.usher("notify", "settings", "--json", id).lines
        + desk.usher("notify", "settings", "--json", "org.example.None").lines
      #expect(settings.count == 2 && settings[1].contains("org.usher.Error.NoHandler"), "\(settings)")
      #expect(try await JSONSchema("usher-notify-settings").diagnostics(about: settings) == [], "\(settings)")
      let cancelled = try await desk.usher("notify", "cancel", "--json", id, "--all").lines
      #expect(try await JSONSchema("usher-notify-cancel").diagnostics(about: cancelled) == [], "\(cancelled)")
    }
  }

  @Test func `Grants`() async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.writeRoutes(
        "rules.toml",
        """
        [route.x]
        match = "notes:{x...}"
        ask = true
        remember = "source+scheme+host"
        [route.phones]
        match = "tel:{x}"
        ask = ["org.example.Phone"]
        remember = "route"
        """)
      try desk.desktop.write(
        "format = 1\nowner = \"corp\"\n[route.no-tel]\nmatch = \"tel:1\"\ndeny = \"no\"\nfinal = true\n",
        to: "etc/usher/routes/corp.toml")
      var kept: [String] = []
      for words in [
        [
          "--source", "org.example.Chat", "--scheme", "notes", "--host", "a.example", "--route", "x",
          "--sandboxed",
        ],
        ["--origin", "https://shop.example", "--scheme", "tel", "--refuse", "--forever"],
        ["--route", "phones", "--app", "org.example.Phone"],
        ["--permission", "notifications", "org.example.Notes"],
        ["--origin", "nonsense"],
      ] { kept += try await desk.run("usher", ["grants", "allow", "--json"] + words).lines }
      #expect(kept.count == 5)
      #expect(try await JSONSchema("usher-grants-allow").diagnostics(about: kept) == [], "\(kept)")
      var listed = try await desk.usher("grants", "list", "--json").lines
      try desk.desktop.write("format = 1\ngrants = false\n", to: "etc/usher/locks.toml")
      listed += try await desk.usher("grants", "list", "--json").lines
      #expect(try await JSONSchema("usher-grants-list").diagnostics(about: listed) == [], "\(listed)")
      let revoked = try await desk.usher("grants", "revoke", "--json", "--all").lines
      #expect(try await JSONSchema("usher-grants-revoke").diagnostics(about: revoked) == [], "\(revoked)")
    }
  }
}
