// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import TestSupport
import Testing

@testable import UsherCommand

@Suite struct `The screen of requests` {
  /// Requests with every outcome, long and wide texts, and none.
  private func model(rows: Int, columns: Int) -> WatchModel {
    var model = WatchSample.model(rows: rows, columns: columns)
    model.receive(WatchSample.ended(1))
    model.receive(WatchSample.ended(2, "failed", error: "Denied"))
    model.receive(WatchSample.event(3, "sent", after: 4, urls: ["https://日本語.example/パス/👩‍🚀/e\u{301}?…"]))
    model.receive(WatchSample.event(4, "timed-out", after: 61_000, urls: []))
    let wide = String(repeating: "語👍", count: 50)
    model.receive(
      WatchSample.event(
        5, "ended", urls: ["x:\(wide)", "y:2", "…"],
        adding: [
          "outcome": "unknown", "application": .string(wide), "source-application": .string(wide),
          "reason": .string(wide),
        ]))
    return model
  }

  @Test(arguments: [1, 2, 3, 5, 6, 15, 24, 29, 30, 50], [1, 2, 8, 20, 40, 59, 60, 80, 109, 110, 200])
  func `fits into every size`(rows: Int, columns: Int) {
    var model = model(rows: rows, columns: columns)
    func check(_ page: String) {
      let frame = WatchScreen(of: model, now: WatchSample.start).frame
      #expect(frame.lines.count <= rows, "\(page)")
      for line in frame.lines {
        for part in line.parts {
          #expect(part.column >= 0 && part.column + part.text.width <= columns, "\(page): \(line.text)")
        }
        for (left, right) in zip(line.parts, line.parts.dropFirst()) {
          #expect(left.column + left.text.width <= right.column, "\(page): \(line.text)")
        }
      }
      #expect(frame.cursor.map { $0.row < rows && $0.column < columns } ?? true)
      #expect(WatchSample.screen(model).unknown == [], "\(page)")
    }
    check("list")
    model.press(.down)
    model.press(.enter)
    check("request")
    model.press(.character("?"))
    check("keys")
    model.press(.escape)
    model.press(.character("/"))
    for character in "語filter that is long " + String(repeating: "x", count: columns) {
      model.press(.character(character))
    }
    check("filter")
    model.press(.escape)
    model.receive(.unreachable(String(repeating: "reason ", count: 40)))
    check("status")
  }

  @Test func `has the columns that its width allows`() throws {
    let wide = WatchSample.lines(model(rows: 10, columns: 200))
    #expect(
      wide[1].split(separator: " ") == ["Time", "Outcome", "To", "URL", "From", "Took"], "\(wide[1])")
    #expect(
      wide[6].contains("2026-11-27 12:00:01") && wide[6].hasSuffix("org.example.Mail             12 ms"))
    let usual = WatchSample.lines(model(rows: 10, columns: 80))
    #expect(usual[1].split(separator: " ") == ["Time", "Outcome", "To", "URL", "From"])
    #expect(usual[6] == " 12:00:01 ✓ handled      ….example.Notes notes://note/1            …example.Mail")
    #expect(usual[5].contains("✕ Denied") && usual[4].contains("· sent") && usual[2].hasPrefix(">12:00:05 ?"))
    let narrow = WatchSample.lines(model(rows: 10, columns: 40))
    #expect(narrow[1].split(separator: " ") == ["Time", "Outcome", "URL"])
    #expect(narrow[6] == " 12:00:01 ✓ handled   notes://note/1")
    #expect(narrow[3].contains("a request without…"))
  }

  @Test func `shows the day of requests of another day`() {
    let day: Int64 = 86_400_000_000
    let model = model(rows: 10, columns: 100)
    let lines = WatchScreen(of: model, now: WatchSample.start + day).frame.lines.map(\.text)
    #expect(lines[6].contains("11-27 12:00 ✓ handled"), "\(lines[6])")
  }

  @Test func `shows one request as the report does`() throws {
    var model = WatchSample.model(rows: 60, columns: 80)
    model.receive(WatchSample.event(1, "queued"))
    model.receive(WatchSample.event(1, "sent", after: 3, adding: ["delivery": "launch"]))
    model.receive(
      WatchSample.event(
        1, "ended", after: 12,
        adding: [
          "outcome": "failed", "error": "org.usher.Error.Denied", "delivery": "launch",
        ]))
    model.press(.enter)
    let lines = WatchSample.lines(model).dropFirst().map { $0 }
    let expected = """
      ✕ Denied  2026-11-27 12:00:01
      notes://note/1?…#…

      Caller
        application   org.example.Mail
        assurance     unit
        The systemd unit in which it runs confirms its name.

      Decision
        …
        $  usher explain --as org.example.Mail:unit notes://note/1

      Delivery
        queued               +0.0 ms  took 3.0 ms
        sent                 +3.0 ms  took 9.0 ms
        failed               12 ms after it arrived

      Receipt
        outcome       failed
        application   org.example.Notes
        delivered     by starting the application
        error         org.usher.Error.Denied
        request       request-1
        A rule or the user denied it. The reason names the rule.
      """
    let shown = lines.map { $0.replacing("━", with: " ") }.map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    #expect(shown.prefix(24).joined(separator: "\n") == expected)
    // The bars have a common axis: three of twelve milliseconds, then nine.
    let bars = lines[13...14].map { $0.count { $0 == "━" } }
    #expect(bars == [8, 26] && lines[14].count == 80)
    #expect(lines[13].firstIndex(of: "━") == lines[13].index(lines[13].startIndex, offsetBy: 46))
  }

  @Test func `shows nothing of a link that could control the terminal`() throws {
    let attacks = [
      "\u{1B}]0;owned\u{7}", "\u{1B}[2J\u{1B}[1;1H", "\u{9B}31m", "\u{90}q\u{9C}", "\r\nfake row",
      "\u{8}\u{8}",
      "\u{202E}gpj.exe", "\u{1B}[?1049l", "\u{E}", "\u{7F}", "\u{2028}",
    ]
    for attack in attacks {
      for size in [(24, 80), (15, 40), (50, 200)] {
        var model = WatchSample.model(rows: size.0, columns: size.1)
        let texts = Dictionary(
          uniqueKeysWithValues: [
            "application", "source-application", "via", "remote", "reason", "error", "outcome", "delivery",
            "request-id", "assurance",
          ].map { ($0, Variant.string("a\(attack)b")) })
        model.receive(.connected(version: attack))
        model.receive(
          WatchSample.event(1, "ended", urls: ["notes:\(attack)", attack, "x:é\(attack)"], adding: texts))
        model.receive(WatchSample.event(2, "queued\(attack)", adding: texts))
        model.receive(.unreachable(attack))
        let decision = WatchedDecision([
          "steps": .strings([attack]), "message": .string(attack), "remedy": .string(attack),
        ])
        model.receive(.decided(try #require(model.list.request?.id), decision))
        for keys in [[], [.enter], [.end], [.escape, .character("/"), .character("\u{9B}")]]
          as [[TerminalKey]]
        {
          for key in keys { model.press(key) }
          for isColoured in [true, false] {
            let screen = WatchSample.screen(model, isColoured: isColoured)
            #expect(
              screen.unknown == [] && !screen.isAlternate && screen.showsCursor, "\(attack.debugDescription)")
            let scalars = screen.lines.joined().unicodeScalars
            #expect(scalars.allSatisfy { !(0x2028...0x202E).contains($0.value) && $0.value >= 0x20 })
          }
        }
      }
    }
  }

  @Test func `shows no user, query or fragment, even if an event had them`() {
    for size in [(24, 80), (15, 40), (50, 200)] {
      var model = WatchSample.model(rows: size.0, columns: size.1)
      model.receive(
        WatchSample.event(
          1, "ended",
          urls: [
            "https://ada:s3cret@h.example/p?token=s3cret#s3cret", "no url s3cret", "x:a:s3cret@h?s3cret",
          ]))
      #expect(!WatchSample.lines(model).joined().contains("s3cret"))
      model.press(.enter)
      #expect(!WatchSample.lines(model).joined().contains("s3cret"))
      #expect(WatchSample.lines(model).contains("https://h.example/p?…#…"))
    }
  }

  @Test func `has no styles without colors, and marks the selected row`() {
    let model = model(rows: 10, columns: 80)
    let frame = WatchScreen(of: model, now: WatchSample.start).frame
    for line in frame.lines {
      let plain = line.written(columns: 80, isColoured: false)
      #expect(!plain.contains(/\u{1B}\[[0-9;]*m/))
    }
    #expect(frame.lines.filter(\.isSelected).map { $0.text.hasPrefix(">") } == [true])
    #expect(frame.lines[2].written(columns: 80, isColoured: true).contains("\u{1B}[7"))
  }
}

@Suite struct `The words of the view` {
  private func script(_ name: String) throws -> String {
    let path = "\(BuiltProducts.repository)/Sources/UsherCommand/Report/Page/\(name)"
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  /// Returns the texts in quotation marks.
  private func texts(in code: some StringProtocol) -> Set<String> {
    Set(String(code).matches(of: /"([^"]*)"/).map { String($0.1) })
  }

  private func entry(_ entries: [String: Variant]) throws -> RequestEntry {
    try #require(RequestEntry(["request-id": "x", "time": .uint64(1)].merging(entries) { $1 }))
  }

  @Test func `about the source are those of the report`() throws {
    let code = try script("3-data.js")
    let start = try #require(code.firstRange(of: "function knownBy"))
    let end = try #require(code[start.upperBound...].firstRange(of: "\n}"))
    var sentences: Set<String> = []
    for assurance in ["sandbox", "unit", "executable", "claimed", "unknown"] {
      sentences.insert(RequestWords.knownBy(try entry(["assurance": .string(assurance)])))
    }
    sentences.insert(RequestWords.knownBy(try entry(["via": "x"])))
    sentences.insert(RequestWords.knownBy(try entry(["remote": "x"])))
    #expect(
      sentences
        == texts(in: code[start.upperBound..<end.lowerBound]).subtracting([
          "sandbox", "unit", "executable", "claimed",
        ]))
    #expect(code.contains("machineTitle(entry.remote) : entry.via ? `via ${entry.via}` : \"unknown\""))
    #expect(RequestWords.source(try entry(["remote": "container:work"])) == "the container work")
    #expect(RequestWords.source(try entry(["remote": "b.example"])) == "the machine b.example")
    #expect(RequestWords.source(try entry(["via": "portal"])) == "via portal")
    #expect(RequestWords.source(try entry([:])) == "unknown")
  }

  @Test func `about outcomes and errors are those of the report`() throws {
    let data = try script("3-data.js")
    for (outcome, sign) in ["handled": "✓", "delivered": "✓", "accepted": "✓", "failed": "✕", "unknown": "?"]
    {
      #expect(data.contains("\(outcome): \"\(sign)\""))
      let request = try WatchedRequests.one(try entry(["outcome": .string(outcome)]))
      #expect(RequestWords.sign(request) == sign)
    }
    let code = try script("8-request.js")
    let start = try #require(code.firstRange(of: "const errorAdvice = {"))
    let end = try #require(code[start.upperBound...].firstRange(of: "};"))
    let advice = code[start.upperBound..<end.lowerBound]
    #expect(texts(in: advice) == Set(RequestWords.errorAdvice.values))
    for (name, sentence) in RequestWords.errorAdvice { #expect(advice.contains("\(name): \"\(sentence)\"")) }
    let never = try entry([
      "error": "org.usher.Error.Denied", "reason": "javascript: links are never opened: they contain code",
    ])
    let sentence = try #require(RequestWords.advice(on: never))
    #expect(code.contains("\"\(sentence)\"") && !RequestWords.errorAdvice.values.contains(sentence))
    let denied = try entry(["error": "org.usher.Error.Denied", "reason": "the user denied the link"])
    #expect(RequestWords.advice(on: denied) == RequestWords.errorAdvice["Denied"])
    for word in [
      "to the running application", "by starting the application", "start, deliver", "decide",
      "wait for application", "until the failure",
    ] {
      #expect(code.contains("\"\(word)\""))
    }
    for title in ["Caller", "Decision", "Delivery", "Receipt"] {
      #expect(code.contains("section(\"\(title)\""))
    }
    #expect(code.contains("after it arrived") && code.contains("; the rules of today choose"))
    #expect(
      code.contains(
        "Without its query and fragment, which the history does not store, the rules of today choose"))
  }

  @Test func `for the time until a failure do not say that the decision took it`() throws {
    func phases(_ entries: [String: Variant]) throws -> [String] {
      RequestWords.states(try entry(["outcome": "failed"].merging(entries) { $1 })).map(\.state)
    }
    let queued = Variant.dictionaries([["state": "queued", "at": .uint64(4_000)]])
    let timeout: [String: Variant] = [
      "application": "org.example.Slow", "error": "org.usher.Error.Timeout",
    ]
    #expect(try phases(timeout) == ["until the failure"])
    #expect(try phases(timeout.merging(["states": queued]) { $1 }) == ["wait for application"])
    #expect(try phases(["states": queued, "outcome": "handled"]) == ["queued"])
    #expect(try phases(["error": "org.usher.Error.Denied", "application": "org.example.Slow"]) == ["decide"])
    #expect(try phases(["error": "org.usher.Error.NoHandler"]) == ["decide"])
  }

  @Test(
    arguments: [
      (0, "0.0 ms"), (400, "0.4 ms"), (9_940, "9.9 ms"), (12_000, "12 ms"), (999_000, "999 ms"),
      (1_500_000, "1.5 s"),
      (42_000_000, "42 s"), (120_000_000, "2 min"), (1 << 53, "150119988 min"),
    ] as [(Int64, String)])
  func `for durations are those of the report`(microseconds: Int64, text: String) {
    #expect(RequestWords.duration(microseconds) == text)
  }
}

extension WatchedRequests {
  fileprivate static func one(_ entry: RequestEntry) throws -> WatchedRequest {
    var requests = WatchedRequests()
    requests.add(entry)
    return try #require(requests.latest.first)
  }
}
