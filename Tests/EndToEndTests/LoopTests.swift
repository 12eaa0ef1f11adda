import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

@Suite struct `A link that goes round` {
  private static func install(_ desk: Desk) throws {
    for id in ["org.example.A", "org.example.B"] {
      try desk.desktop.installDesktopEntry(id, exec: "true %u", schemes: ["round"])
    }
    try desk.desktop.setDefaults(["round": ["org.usher.Handler", "org.example.B"]])
  }

  @Test func `between two applications is stopped, and both are named`() async throws {
    try await Desk.with { desk in
      try Self.install(desk)
      #expect(try await desk.open("--source-application", "org.example.A", "round:1").status == 0)
      let back = [
        "open", "--json", "--source-application", "org.example.B", "--app", "org.example.A", "round:1",
      ]
      let report = try OpenReport(try await desk.run("usher", back))
      #expect(report.status == 7 && report.error == "Loop", "\(report)")
      #expect(report.message.contains("org.example.A → org.example.B → org.example.A"), "\(report)")
      // Another link is not this one, and what a person clicks is opened.
      let other = Array(back.dropLast()) + ["round:2"]
      #expect(try await desk.run("usher", other).status == 0)
      #expect(try await desk.run("usher", back, adding: ["XDG_ACTIVATION_TOKEN": "token"]).status == 0)
    }
  }

  @Test func `from one application on Scenes to another and back is stopped after eight rounds, and told so`()
    async throws
  {
    try await Desk.with { desk in
      for (id, scheme) in [("org.example.One", "one"), ("org.example.Two", "two")] {
        try desk.desktop.installDesktopEntry(
          id, exec: "\(BuiltProducts.directory)/SceneProbe \(id) \(desk.desktop.root)/\(id).log",
          schemes: [scheme], lines: ["Implements=org.usher.Application1;"])
      }
      try desk.desktop.setDefaults(
        ["one": ["org.usher.Handler", "org.example.One"], "two": ["org.usher.Handler", "org.example.Two"]])
      let monitor = try await RunningProgram.start(
        "usher", ["monitor", "--json"], environment: desk.desktop.environment)
      _ = try await monitor.line { $0.contains("watching") }
      let first = try await desk.open("one:bounce/two")
      #expect(first.status == 0, "\(first)")
      let refused = try PropertyList(json: await monitor.line { $0.contains("Error.Loop") })
      #expect(refused["urls"] == ["two:bounce/one"])
      #expect(refused["source-application"] == "org.example.One")
      let log = try String(contentsOfFile: "\(desk.desktop.root)/org.example.One.log", encoding: .utf8)
      // The link that was opened by hand, and those that came back.
      #expect(log.split(separator: "\n").count { $0.hasPrefix("begin") } == 5)
      monitor.terminate()
      _ = await monitor.waitUntilExit()
    }
  }

  @Test func `may be opened again and again by whom it was not given to`() async throws {
    try await Desk.with { desk in
      try Self.install(desk)
      for _ in 0..<3 {
        #expect(try await desk.open("--source-application", "org.example.A", "round:1").status == 0)
      }
    }
  }

  @Test func `through other hands has a rate, and its source is told so`() async throws {
    try await Desk.with { desk in
      try Self.install(desk)
      var options = OpenOptions()
      options.hops = 1
      let urls = (1...31).map { "round:\($0)" }
      var failures: [BusError] = []
      for call in try await PipelinedOpener(desk).send(urls, options) {
        do { _ = try await call.value } catch let error as BusError { failures.append(error) }
      }
      #expect(failures.map(\.brokerError) == [.tooMany])
      #expect(failures.first?.message.contains("30 links within 10 s") == true, "\(failures)")
      // What is opened first-hand has none.
      for call in try await PipelinedOpener(desk).send(urls, OpenOptions()) { _ = try await call.value }
    }
  }
}
