import BusInterfaces
import TestSupport
import Testing

/// Who asked, as a real user manager lets the broker verify it.
@Suite struct `The source application` {
  private func with(_ body: @Sendable (Session, Target) async throws -> Void) async throws {
    try await Session.with { session in
      let desktop = session.desktop
      let target = try await Target.install(.scenes, on: desktop)
      try desktop.setUsherAsDefault(of: [.scenes])
      for id in ["org.example.Source", "org.example.Liar"] {
        try desktop.installDesktopEntry(id, exec: "/bin/true")
      }
      try await body(session, target)
    }
  }

  @Test(arguments: ["usher open", "xdg-open", "env XDG_CURRENT_DESKTOP=GNOME xdg-open", "gio open"])
  func `is that of the unit, also through the desktop's openers`(opener: String) async throws {
    try await with { session, target in
      for number in 1...2 {
        let result = try await session.run(as: "org.example.Source", "\(opener) \(target.url(number))")
        #expect(result.status == 0, "\(result)")
        let arrival = try await target.next()
        #expect(arrival.urls == [target.url(number)])
        #expect(arrival.source == "org.example.Source", "\(arrival)")
        #expect(arrival.assurance == "unit", "\(arrival)")
      }
    }
  }

  @Test func `is that of the unit by both doors`() async throws {
    try await with { session, target in
      let doors = [Desk.broker, Desk.handler].map { $0.joined(separator: " ") }
      for (number, door) in doors.enumerated() {
        let call = "busctl --user call \(door) Open 'asa{sv}' 1 \(target.url(number)) 0"
        #expect(try await session.run(as: "org.example.Source", call).status == 0)
        let arrival = try await target.next()
        #expect(arrival.source == "org.example.Source", "\(arrival)")
        #expect(arrival.assurance == "unit", "\(arrival)")
      }
    }
  }

  @Test func `is never what is claimed over what is verified`() async throws {
    try await with { session, target in
      try await session.run(
        as: "org.example.Source", "usher open --source-application org.example.Liar \(target.url(1))")
      let verified = try await target.next()
      #expect(verified.source == "org.example.Source", "\(verified)")
      #expect(verified.assurance == "unit")

      _ = try await session.must("usher open --source-application org.example.Liar \(target.url(2))")
      let claimed = try await target.next()
      #expect(claimed.source == "org.example.Liar", "\(claimed)")
      #expect(claimed.assurance == "claimed")

      _ = try await session.must("usher open \(target.url(3))")
      let unknown = try await target.next()
      #expect(unknown.source == nil, "\(unknown)")
      #expect(unknown.assurance == "unknown")

      // A unit whose name is that of no application installed names nobody.
      try await session.run(as: "org.example.Nobody", "usher open \(target.url(4))")
      let nobody = try await target.next()
      #expect(nobody.source == nil, "\(nobody)")
      #expect(nobody.assurance == "unknown")
    }
  }

  /// A plain program that we launched is an application as any other, and may open links itself.
  @Test func `is the application that Usher itself launched`() async throws {
    try await with { session, target in
      let forwarder = try session.desktop.installScript(
        "forward", "#!/bin/sh\n\(session.desktop.bin)/usher open \(target.url(7))\n")
      try session.desktop.installDesktopEntry(
        "org.example.Forward", exec: "\(forwarder) %u", schemes: ["forward"])
      try session.desktop.setDefaults([
        "notes": ["org.usher.Handler", "org.example.Notes"],
        "forward": ["org.usher.Handler", "org.example.Forward"],
      ])
      _ = try await session.must("usher open forward:1")
      let arrival = try await target.next()
      #expect(arrival.source == "org.example.Forward", "\(arrival)")
      #expect(arrival.assurance == "unit")
    }
  }
}
