// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

@Suite struct `An annotation` {
  private static let json = """
    {"from": "demo", "nested": {"deep": {"list": [1, "two", 3.5, true, {"a": []}], "empty": {}}}, \
    "data": {"$data": "AAEC/w=="}, "date": "2026-11-21T12:34:56Z", "big": 9007199254740993, \
    "low": -9223372036854775808, "high": 9223372036854775807, "real": 1.0, "tiny": 1e-300, "one": 1, \
    "yes": true, "no": false, "text": "“ü\\n\\u0001\\ud83d\\ude00”"}
    """
  private static let value: PropertyList = [
    "from": "demo",
    "nested": ["deep": ["list": [1, "two", 3.5, true, ["a": []]], "empty": [:]]],
    "data": .data([0, 1, 2, 255]), "date": "2026-11-21T12:34:56Z", "big": 9_007_199_254_740_993,
    "low": .integer(.min), "high": .integer(.max), "real": 1.0, "tiny": 1e-300, "one": 1,
    "yes": true, "no": false, "text": "“ü\n\u{1}\u{1F600}”",
  ]

  @Test(arguments: [TargetKind.scenes, .plain])
  func `arrives with its types intact`(kind: TargetKind) async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(kind, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [kind])
      for number in 1...2 {
        try await desk.usher("open", "--annotation", Self.json, target.url(number)).orThrow()
        let annotation = try #require(try await target.next().annotation)
        #expect(annotation == Self.value)
        // A date is sent as text, and can still be read as a date.
        #expect(annotation["date"]?.dateTime?.text == "2026-11-21T12:34:56Z")
      }
    }
  }

  /// GLib's own parser of variants shows the platform data of a standard application.
  @Test func `reaches a standard application as platform data`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.gApplication, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.gApplication])
      try await desk.usher("open", "--annotation", Self.json, "gtk-notes:1").orThrow()
      var expected = try #require(Self.value.dictionary)
      // Python prints bytes as numbers.
      expected["data"] = [0, 1, 2, 255]
      #expect(try await target.next().annotation == .dictionary(expected))
    }
  }

  @Test func `of another program on the bus arrives as it was sent`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      try await desk.run(
        "gdbus",
        [
          "call", "--session", "--dest", InstalledDesktop.broker[0], "--object-path",
          InstalledDesktop.broker[1], "--method",
          "\(InstalledDesktop.broker[2]).Open", "['notes://note/1']",
          "{'annotation': <{'n': <uint32 7>, 'd': <@ay [0x01, 0xff]>, 'a': <['x', 'y']>}>}",
        ]
      ).orThrow()
      #expect(
        try await target.next().annotation == ["n": 7, "d": .data([1, 255]), "a": ["x", "y"]])
    }
  }

  @Test func `that is too large is InvalidRequest`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      let large = #"{"x": ""# + String(repeating: "x", count: 65_536) + #""}"#
      let result = try await desk.usher("open", "--annotation", large, "notes://note/1")
      #expect(result.status == 64, "\(result)")
      try await desk.usher("open", "notes://note/2").orThrow()
      #expect(try await target.next().urls == ["notes://note/2"])
    }
  }
}
