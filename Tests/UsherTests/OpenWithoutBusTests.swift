// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `usher open without a bus` {
  @Test(arguments: [
    "play:$HOME${x};&'\"", "PLAY:%zz%C3%A9%20", "play:///a/../b//c#f", "play:é\u{301}", "play:%25",
  ])
  func `A plain program gets the URL byte for byte`(url: String) async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let player = try desktop.installPlayer()
    let result = try await desktop.usher("open", url)
    #expect(result.succeeded && result.output.isEmpty && result.errorOutput.isEmpty, "\(result)")
    let start = try await player.nextStart()
    #expect(start.arguments.map { Array($0.utf8) } == [Array(url.utf8)])
    #expect(start.environment["DESKTOP_STARTUP_ID"] == nil)
  }

  @Test func `A long URL arrives`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let player = try desktop.installPlayer()
    let url = "play:" + String(repeating: "x", count: 100 << 10)
    #expect(try await desktop.usher("open", url).succeeded)
    #expect(try await player.nextStart().arguments == [url])
  }

  @Test func `The receipt is one object, whatever the program writes`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let script = try desktop.installScript("loud", "#!/bin/sh\necho loud\n")
    try desktop.installDesktopEntry("loud", exec: "\(script) %u")
    try desktop.setDefaults(["loud": ["loud"]])
    let (receipt, result) = try await desktop.usherJSON("open", "loud:1", "--wait", "handled")
    #expect(result.status == 0)
    #expect(receipt.keys == ["deliveries", "outcome", "request-id"])
    #expect(receipt["outcome"] == "handled")
    let delivery = try #require(receipt.objects("deliveries").first)
    #expect(delivery["application"] == "loud" && delivery["delivery"] == "launch")
    #expect(result.errorOutput == "loud\n")
  }

  @Test func `A reader of the receipt does not wait for the program's end`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let player = try desktop.installPlayer(.held)
    let (receipt, _) = try await desktop.usherJSON("open", "play:1")
    #expect(receipt["outcome"] == "delivered")
    let start = try await player.nextStart()
    #expect(kill(start.processIdentifier, 0) == 0)
  }

  @Test func `With --wait handled, a non-zero exit status is a failure`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let player = try desktop.installPlayer(.exits(7))
    let (receipt, result) = try await desktop.usherJSON("open", "--wait", "handled", "play:1")
    #expect(result.status == 6)
    #expect(receipt["error"] == "org.usher.Error.TargetFailed")
    #expect(receipt["message"]?.contains("exit status 7") == true)
    _ = try await player.nextStart()
  }

  @Test func `A program that does not end in time leaves a time-out, and runs on`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let player = try desktop.installPlayer(.held)
    let (receipt, result) = try await desktop.usherJSON(
      "open", "--wait", "handled", "--timeout", "0.05", "play:1")
    #expect(result.status == 5)
    #expect(receipt["error"] == "org.usher.Error.Timeout" && receipt["outcome"] == "delivered")
    let start = try await player.nextStart()
    #expect(kill(start.processIdentifier, 0) == 0)
  }

  @Test func `Source, annotation and token reach a plain program`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let player = try desktop.installPlayer(.held, lines: ["StartupNotify=true"])
    let result = try await desktop.usher(
      "open", "--annotation", #"{"n":9007199254740993,"d":{"$data":"AAE="}}"#, "--source-application",
      "org.example.Chat.desktop", "play:1",
      extra: ["XDG_ACTIVATION_TOKEN": "token-1", "USHER_ENVELOPE": "/inherited"])
    #expect(result.succeeded, "\(result)")
    let start = try await player.nextStart()
    #expect(start.environment["XDG_ACTIVATION_TOKEN"] == "token-1")
    let path = try #require(start.environment["USHER_ENVELOPE"])
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let envelope = try JSONObject(text)
    #expect(text.contains(#""annotation":{"d":{"$data":"AAE="},"n":9007199254740993}"#))
    #expect(envelope["source-application"] == "org.example.Chat" && envelope["assurance"] == "claimed")
    #expect(envelope.texts("urls") == ["play:1"] && envelope["application"] == "player")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `A plain program gets no libraries of the AppImage that opens the URL`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let player = try desktop.installPlayer()
    let result = try await desktop.usher(
      "open", "play:1",
      extra: [
        "APPDIR": "/mount", "APPIMAGE": "/x.AppImage", "LD_LIBRARY_PATH": "/mount/usr/lib",
        "OTHER": "/mount/x:/y",
      ])
    #expect(result.succeeded, "\(result)")
    let environment = try await player.nextStart().environment
    for name in ["APPDIR", "APPIMAGE", "LD_LIBRARY_PATH"] { #expect(environment[name] == nil, "\(name)") }
    #expect(environment["OTHER"] == "/y")
  }

  @Test
  func `A plain program gets variables in another encoding, and any first character of a value, unchanged`()
    async throws
  {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let script = try desktop.installScript("saver", "#!/bin/sh\nenv -0 >'\(desktop.root)/variables'\n")
    try desktop.installDesktopEntry("saver", exec: "\(script) %u", schemes: ["save"])
    try desktop.setDefaults(["save": ["saver"]])
    // Latin-1, and a combining character behind the equals sign.
    let start = #"""
      LATIN=$(printf '/home/J\366rg') COMBINED=$(printf '\314\201x') exec "$0" open --wait handled save:1
      """#
    let result = try await Command.run(
      "/bin/sh", ["-c", start, BuiltProducts.usher], environment: desktop.environment)
    #expect(result.succeeded, "\(result)")
    let variables = try Data(contentsOf: URL(fileURLWithPath: "\(desktop.root)/variables")).split(
      separator: 0)
    #expect(variables.contains(Data(Array("LATIN=/home/J".utf8) + [0xF6] + Array("rg".utf8))))
    #expect(variables.contains(Data("COMBINED=\u{301}x".utf8)))
  }

  @Test func `Several URLs keep their order, each with its delivery`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let player = try desktop.installPlayer()
    let (receipt, result) = try await desktop.usherJSON("open", "play:1", "nothing:1", "play:2")
    #expect(result.status == 2)
    #expect(receipt.objects("deliveries").map { $0["outcome"] } == ["delivered", "failed"])
    var seen: Set<String> = []
    for _ in 0..<2 { seen.formUnion(try await player.nextStart().arguments) }
    #expect(seen == ["play:1", "play:2"])
  }

  @Test func `The fallback replaces a URL that no application opens`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let player = try desktop.installPlayer()
    let (receipt, result) = try await desktop.usherJSON("open", "nothing:1", "--fallback", "play:instead")
    #expect(result.status == 0)
    #expect(receipt.objects("deliveries").map { $0["application"] } == ["player"])
    #expect(try await player.nextStart().arguments == ["play:instead"])
  }

  /// The kernel rejects an argument above 128 KiB, so that the second of the two programs is not executed.
  @Test func `A fallback is not opened when a part of the links arrived`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let player = try desktop.installPlayer()
    let long = "/" + String(repeating: " ", count: 60_000)
    let (receipt, result) = try await desktop.usherJSON(
      "open", "--app", "player", "play:1", long, "--fallback", "play:instead")
    #expect(result.status == 4, "\(result)")
    #expect(receipt["outcome"] == "unknown" && receipt["error"] == "org.usher.Error.LaunchFailed")
    #expect(try await player.nextStart().arguments == ["play:1"])
  }

  @Test func `The largest number of hops is a Loop, with a fallback as well`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let envelope = try desktop.write(
      #"{"request-id":"1","urls":["nothing:1"],"hops":4294967295}"#, to: "envelope.json")
    let (receipt, result) = try await desktop.usherJSON(
      "open", "nothing:1", "--fallback", "nothing:2", extra: ["USHER_ENVELOPE": envelope])
    #expect(result.status == 7, "\(result)")
    #expect(receipt["error"] == "org.usher.Error.Loop")
  }

  @Test func `An application that is asked for by its ID gets the URL`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    let player = try desktop.installPlayer()
    #expect(try await desktop.usher("open", "--app", "player.desktop", "other:1").succeeded)
    #expect(try await player.nextStart().arguments == ["other:1"])
  }
}
