import BusInterfaces
import DBus
import Scenes
import TestSupport
import Testing

/// What is carried arrives as it was given: URLs byte for byte, annotations with their types.
@Suite struct `What is carried` {
  /// Each is what a browser would hand over, and each has broken some opener.
  static let awkward = [
    "%", "%zz", "%2F%25%41", "$HOME", "${x}", "$$", "`id`", "'single'", "\"double\"", "a;b", "a&b=c", "a|b",
    "*", "?",
    "[1]", "{x}", "~", "#", "a#b#c", "%C3%A9", "é", "e\u{301}", "日本語", "%u", "%U", "%f", "@@u", "//", "///x",
    "?a=1&a=2",
    "--option", "-x", "a+b", "a,b", "(a)", "!x", "^", "=",
  ]

  @Test(arguments: [TargetKind.gApplication, .plain])
  func `awkward URLs arrive byte for byte`(kind: TargetKind) async throws {
    try await Desk.with { desk in
      let target = try await Target.install(kind, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [kind])
      for rest in Self.awkward {
        let url = "\(kind.scheme):\(rest)"
        try await desk.usher("open", "--", url).orThrow()
        let arrival = try await target.next()
        #expect(arrival.urls.map { Array($0.utf8) } == [Array(url.utf8)], "\(url): \(arrival)")
      }
    }
  }

  /// The same to an application on `Scenes`, without a route table that would have its own view of them; and one of
  /// 100 KiB, which is longer than an argument of a program may be and so travels by the bus alone.
  @Test func `awkward and long URLs arrive byte for byte through Scenes`() async throws {
    try await Desk.with { desk in
      let (urls, arrived) = AsyncStream<String>.makeStream()
      var application = SceneApplication("org.example.Notes")
      application.bus = .address(desk.bus.address)
      application.arguments = []
      application.endingSignals = []
      let run = Task { [application] in
        try await application.run { request in
          for url in request.urlStrings { arrived.yield(url) }
          return .handled
        }
      }
      let caller = try await desk.connect()
      for await owner in try await caller.owners(of: "org.example.Notes") where owner != nil { break }
      _ = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      var next = urls.makeAsyncIterator()
      for rest in Self.awkward + [String(repeating: "0123456789abcdef", count: 6_400)] {
        let url = "notes:\(rest)"
        try await desk.usher("open", "--wait", "handled", "--", url).orThrow()
        #expect((await next.next()).map { Array($0.utf8) } == Array(url.utf8))
      }
      run.cancel()
      _ = try await run.value
    }
  }

  @Test func `a URL of 100 KiB arrives through the standard interface`() async throws {
    try await Desk.with { desk in
      let target = try await Target.install(.gApplication, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.gApplication])
      let url = "gtk-notes:" + String(repeating: "0123456789abcdef", count: 6_400)
      try await desk.usher("open", url).orThrow()
      #expect(try await target.nextText().contains("\"\(url)\""))
    }
  }

  static let annotation = """
    {"array":[1,1.0,"1",true],"big":9007199254740993,"data":{"$data":"AAH/"},"date":"2026-11-21T12:00:00Z",\
    "dictionary":{"deep":{"deeper":[{"x":-9223372036854775808}]}},"false":false,"real":1.0,"text":"é\\n\\u0001"}
    """

  @Test(arguments: [TargetKind.scenes, .plain])
  func `an annotation keeps its types`(kind: TargetKind) async throws {
    try await Desk.with { desk in
      let target = try await Target.install(kind, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [kind])
      let sent = try PropertyList(json: Self.annotation)
      try await desk.usher("open", "--annotation", Self.annotation, target.url(1)).orThrow()
      let arrived = try await target.next().annotation
      #expect(arrived == sent)
      #expect(arrived?["big"]?.integer == 9_007_199_254_740_993)
      #expect(arrived?["real"] == .real(1))
      #expect(arrived?["data"] == .data([0, 1, 255]))
      #expect(arrived?["false"] == .boolean(false))
    }
  }

  @Test func `a handled value returns to the caller`() async throws {
    try await Desk.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      for kind in ["launch", "running"] {
        let report = try await desk.open("--wait", "handled", "notes://note/7?tab=edit")
        #expect(report.status == 0, "\(report)")
        #expect(report.outcome == "handled")
        #expect(report.first?["delivery"]?.string == kind)
        #expect(report.first?["value"] == ["note": 7, "tab": "edit"])
        #expect(try await target.next().delivery == kind)
      }
    }
  }
}
