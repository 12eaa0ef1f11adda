// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// A link that the user clicked and that the broker rejects.
@Suite struct `A rejected link` {
  private static let routes = """
    format = 1
    owner  = "admin"

    [route.blocked]
    match = "play://blocked/{x...?}"
    deny  = "ring extension 4711"
    final = true

    [route.unsure]
    match = "play://unsure/{x...?}"
    ask   = true
    final = true
    """

  @Test func `of the desktop is reported by a notification with the reason, unless the user refused it`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      _ = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      try desk.desktop.write(Self.routes, to: "etc/usher/routes/admin.toml")
      let server = try await NotificationServer.start(on: desk)

      let denied = try await desk.usher("open", "--from-desktop", "play://blocked/a?token=secret")
      #expect(denied.status == 0, "\(denied)")
      let shown = try await server.next(1)
      for words in ["A link was not opened", "play://blocked/a"] {
        #expect(shown.text.contains(words), "\(words): \(shown)")
      }
      #expect(!shown.text.contains("secret"), "\(shown)")
      _ = try await server.line(with: "ring extension 4711")

      async let refused = desk.usher("open", "--from-desktop", "play://unsure/b")
      #expect(try await server.next(2).text.contains("Open this play: link?"))
      try await server.press(1, of: 2)
      #expect(try await refused.status == 0)

      // The prompt was the last notification before this one.
      _ = try await desk.usher("open", "--from-desktop", "play://blocked/c")
      let last = try await server.next(3)
      #expect(last.text.contains("play://blocked/c"), "\(last)")
    }
  }

  /// The desktop's opener has exited then.
  @Test(arguments: [
    (BusApplication.Behaviour.exitsAtOnce, BusApplication.Interface.standard, "A link was not opened"),
    (.exitsAtOnce, .application1, "A link was not opened"), (.fails, .application1, "A link was not opened"),
    (.dies, .application1, "A link may not have been opened"),
  ])
  func `is reported by a notification also if its application fails after the broker has accepted it`(
    behaviour: BusApplication.Behaviour, interface: BusApplication.Interface, summary: String
  ) async throws {
    try await InstalledDesktop.with { desk in
      _ = try await BusApplication.install(behaviour, interface, on: desk)
      let server = try await NotificationServer.start(on: desk)
      let accepted = try await desk.usher("open", "--from-desktop", "mimic:1?token=secret")
      #expect(accepted.status == 0 && accepted.errorOutput.isEmpty, "\(accepted)")
      let shown = try await server.next(1)
      #expect(shown.text.contains(summary) && shown.text.contains("mimic:1"), "\(shown)")
      #expect(!shown.text.contains("secret"), "\(shown)")
      _ = try await server.line(with: "org.example.Mimic")
    }
  }

  /// Such a request has no receipt, and is not in the history.
  @Test func `that is not even decided is reported by a notification`() async throws {
    try await InstalledDesktop.with { desk in
      let server = try await NotificationServer.start(on: desk)
      let large = try await desk.run("usher", ["open", "--from-desktop"] + (1...513).map { "play:\($0)" })
      #expect(large.status == 0, "\(large)")
      let shown = try await server.next(1)
      #expect(shown.text.contains("A link was not opened") && shown.text.contains("play:1"), "\(shown)")
      _ = try await server.line(with: "at most 512 URLs")

      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": "total=1"])
      _ = try await BusApplication.install(.hesitates, .application1, on: desk)
      var rejected = false
      for number in 1...4 where !rejected {
        let result = try await desk.usher("open", "--from-desktop", "mimic:\(number)")
        #expect(result.status == 0, "\(result)")
        rejected = !result.errorOutput.isEmpty
      }
      #expect(rejected)
      #expect(try await server.next(2).text.contains("mimic:"))
      _ = try await server.line(with: "waiting")
      broker.program.kill()
    }
  }

  @Test func `is reported by the opener xdg-open, too`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      try desk.desktop.write(Self.routes, to: "etc/usher/routes/admin.toml")
      let server = try await NotificationServer.start(on: desk)
      let line = "exec -a xdg-open '\(BuiltProducts.usher)-command' play://blocked/a"
      let denied = try await desk.run("bash", ["-c", line])
      #expect(denied.status == 4, "\(denied)")
      #expect(try await server.next(1).text.contains("A link was not opened"))
      _ = try await server.line(with: "ring extension 4711")
    }
  }
}
