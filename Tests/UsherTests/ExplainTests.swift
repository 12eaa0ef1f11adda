// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `usher explain` {
  @Test func `Every step has its file and line, and the verdict comes last`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    _ = try desktop.installPlayer()
    let list = try desktop.setDefaults(["play": ["org.example.Gone", "player"]])
    let result = try await desktop.usher("explain", "play:1", "--source-application", "org.example.Chat")
    #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
    #expect(result.lines.first == "play:1")
    #expect(result.lines.contains("  source: org.example.Chat (claimed)"))
    #expect(result.output.contains("org.example.Gone.desktop (\(list):2"))
    #expect(result.lines.contains("  verdict: player opens it"))
    #expect(result.lines.last?.hasPrefix("  decided by this command") == true)
    let (object, _) = try await desktop.usherJSON("explain", "play:1")
    #expect(
      object.keys == [
        "application", "assurance", "decided-by", "decision", "message", "obstacle", "other-openers", "steps",
        "url",
      ])
    #expect(object["decision"] == "deliver" && object["application"] == "player")
    #expect(object["decided-by"] == "usher" && object.texts("steps").count > 1)
  }

  @Test func `The user is prompted for a web page without a click, with and without a broker`() async throws {
    let asked = "asks whether it may be opened"
    let desktop = try ThrowAwayDesktop(hasBus: false)
    _ = try desktop.installPlayer()
    try desktop.setDefaults(["play": ["player"]])
    let here = try await desktop.usher(
      "explain", "play:1", "--origin", "https://shop.example", "--skip-comparison")
    #expect(here.output.contains(asked) && here.output.contains("decided by this command"), "\(here)")
    try await ThrowAwayDesktop.withBus { desktop, _ in
      try desktop.installUsher()
      _ = try desktop.installPlayer()
      try desktop.setDefaults(["play": ["player"]])
      let there = try await desktop.usher(
        "explain", "play:1", "--origin", "https://shop.example", "--skip-comparison")
      #expect(there.output.contains(asked) && !there.output.contains("decided by this command"), "\(there)")
      #expect(try await !desktop.usher("explain", "play:1", "--skip-comparison").output.contains(asked))
      let refused = try await desktop.usher("open", "play:1", "--origin", "https://shop.example")
      #expect(refused.status == 3, "\(refused)")
    }
  }

  @Test func `No application and a rejection have different exit statuses`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installRoutes(
      "deny", "format = 1\nowner = \"user\"\n[route.no]\nmatch = \"play:secret\"\ndeny = \"not today\"\n")
    let (unhandled, none) = try await desktop.usherJSON("explain", "nothing:1")
    #expect(
      none.status == 2 && unhandled["decision"] == "none" && unhandled["error"] == "org.usher.Error.NoHandler"
    )
    let (no, denied) = try await desktop.usherJSON("explain", "play:secret")
    #expect(denied.status == 3 && no["decision"] == "deny")
    #expect(try await desktop.usher("explain", "a b").status == 65)
    #expect(try await desktop.usher("open", "--dry-run", "play:secret").status == 3)
  }

  @Test func `A question names the application, and there is none for a link that no application opens`()
    async throws
  {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    _ = try desktop.installPlayer()
    try desktop.setDefaults(["play": ["player"]])
    try desktop.installRoutes(
      "ask", "format = 1\nowner = \"user\"\n[route.ask]\nscheme = \"*\"\nask = true\nremember = \"scheme\"\n")
    let (asked, result) = try await desktop.usherJSON("explain", "play:1")
    #expect(result.status == 0 && asked["decision"] == "ask" && asked["application"] == "player")
    #expect(asked["remedy"]?.contains("usher grants allow") == true, "\(asked)")
    let text = try await desktop.usher("explain", "play:1")
    #expect(text.lines.contains("  after consent: player opens it"), "\(text)")
    #expect(text.lines.contains { $0.hasPrefix("  without a prompt: ") && $0.contains("usher grants allow") })
    let (nothing, none) = try await desktop.usherJSON("explain", "nosuch:1")
    #expect(none.status == 2 && nothing["decision"] == "none" && nothing["application"] == nil)
    let opened = try await desktop.usher("open", "nosuch:1")
    #expect(
      opened.status == 2 && opened.errorOutput.contains("no application opens nosuch: links"), "\(opened)")
    #expect(try await !desktop.usher("explain", "nosuch:1").output.contains("also chosen by"))
  }

  @Test func `Errors in a route file are printed`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let file = try desktop.installRoutes("broken", "format = 1\nowner = \n")
    let result = try await desktop.usher("explain", "play:1")
    #expect(result.errorOutput.contains("\(file):2:"), "\(result)")
  }

  @Test func `Routes and the desktop's files are one story, with no secret in it`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    _ = try desktop.installPlayer()
    try desktop.setDefaults(["play": ["player"]])
    let file = try desktop.installRoutes(
      "secret",
      """
      format = 1
      owner = "user"
      [route.song]
      match = "play:/song/{n:uint}?key={key}"
      deny = "no"
      secret = "key"

      """)
    let result = try await desktop.usher("explain", "--skip-comparison", "play:/song/seven?key=hush")
    #expect(result.status == 0 && !(result.output + result.errorOutput).contains("hush"), "\(result)")
    #expect(result.lines.first == "play:/song/…?key=…")
    #expect(result.lines.contains("  2. no route of the user matches"), "\(result)")
    #expect(
      result.lines.contains {
        $0.hasPrefix("  3. not `song` (play:/song/{n:uint}?key={key}, \(file):4:9): segment 2 is `…`")
      },
      "\(result)")
    #expect(result.lines.contains("  verdict: player opens it"), "\(result)")
    let denied = try await desktop.usher("explain", "--skip-comparison", "play:/song/7?key=hush")
    #expect(denied.status == 3 && !(denied.output + denied.errorOutput).contains("hush"), "\(denied)")
  }

  @Test func `A dry run starts nothing`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let marker = "\(desktop.home)/started"
    let script = try desktop.installScript("mark", "#!/bin/sh\n: >'\(marker)'\n")
    try desktop.installDesktopEntry("mark", exec: "\(script) %u")
    try desktop.setDefaults(["mark": ["mark"]])
    let result = try await desktop.usher("open", "--dry-run", "mark:1")
    #expect(result.status == 0 && result.output.contains("mark opens it"), "\(result)")
    try await desktop.waitUntilNoProcess()
    #expect(!FileManager.default.fileExists(atPath: marker))
  }

  @Test func `The broker is asked where there is one`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, _ in
      try desktop.installUsher()
      _ = try desktop.installPlayer()
      let (object, result) = try await desktop.usherJSON("explain", "play:1")
      #expect(result.status == 0, "\(result)")
      #expect(object["decided-by"] == "broker" && object["application"] == "player")
    }
  }
}
