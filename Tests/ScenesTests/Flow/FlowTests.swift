// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import FoundationEssentials
import TestSupport
import Testing

@testable import Scenes

/// Tests that apply to both of UIKit's flows, and to the isolation of delegates.
@Suite struct FlowTests {
  @Test(arguments: [Play.Profile.delegate, .scenes])
  func `A delegate that needs three seconds to start handles all of fifty requests in order`(
    profile: Play.Profile
  ) async throws {
    let log = Log()
    let behaviour = Behaviour(
      opens: { _, url in
        log.add(url)
        return .handled
      },
      // The delay of three seconds is part of the test.
      ready: { try? await Task.sleep(for: .seconds(3)) })
    let urls = (1...50).map { "notes://note/\($0)" }
    try await Stage.withStage { stage in
      let play = try await Play.begin(profile, .direct, on: stage, behaviour)
      let courier = Courier(try play.bus.broker, to: try play.bus.actors)
      var replies: [Task<Reply, any Error>] = []
      for (index, url) in urls.enumerated() { replies.append(await courier.send("r\(index)", url)) }
      for reply in replies { #expect(try await reply.value.handled) }
      let lines = try await play.end()
      let opened = lines.filter { $0.hasPrefix("application(_:open") || $0.hasPrefix("scene(_:openURL") }
      #expect(opened.count == 50)
      for (line, url) in zip(opened, urls) { #expect(line.hasSuffix(" \(url)")) }
    }
    if profile == .scenes { #expect(await log.finish() == urls) }
  }

  @Test func `A start whose request never arrives is a start without a request`() async throws {
    try await Stage.withStage { stage in
      let transcript = Transcript()
      let delegate = RecordingDelegate(transcript)
      let running = try await stage.start(.awaited) { application in
        var application = application
        application.launchTimeout = .milliseconds(1)
        return try await application.run(
          delegate: delegate, scenes: SceneConfiguration { OnlyOpening(log: Log()) })
      }
      try await transcript.until("sceneDidBecomeActive")
      try await running.end()
      #expect(await transcript.lines.first?.hasSuffix(" nil") == true)
    }
  }

  /// Implements only `scene(_:openURLContexts:)`.
  struct OnlyOpening: SceneDelegate {
    let log: Log
    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
      for context in contexts { log.add(context.urlString) }
    }
  }

  struct NoDelegate: ApplicationDelegate {}

  @Test func `A scene that only opens URLs receives the URL of a cold start`() async throws {
    try await Stage.withStage { stage in
      let log = Log()
      let running = try await stage.start(.awaited) { application in
        try await application.run(
          delegate: NoDelegate(), scenes: SceneConfiguration { OnlyOpening(log: log) })
      }
      let broker = try await stage.broker()
      #expect(try await running.deliver(Play.envelope("notes://cold"), from: broker).handled)
      #expect(try await running.deliver(Play.envelope("notes://warm"), from: broker).handled)
      // The scene rejects a shortcut item that it does not implement.
      let action = Play.envelope {
        $0.desktopAction = "new"; $0.reason = .shortcutItem
      }
      #expect(try await running.deliver(action, from: broker).handled == false)
      try await running.end()
      #expect(await log.finish() == ["notes://cold", "notes://warm"])
    }
  }

  @Test func `The caller receives an error of the delegate, and the next request is handled`() async throws {
    struct NoSuchNote: Error, CustomStringConvertible { let description = "there is no such note" }
    let behaviour = Behaviour(opens: { _, url in
      guard url.hasSuffix("7") else { throw NoSuchNote() }
      return .handled(["note": 7])
    })
    try await Stage.withStage { stage in
      let play = try await Play.begin(.scenes, .direct, on: stage, behaviour)
      try await play.untilItRuns()
      try await play.deliver(Play.envelope("notes://note/8"))
      try await play.deliver(Play.envelope("notes://note/7"))
      let answers = try await play.end().filter { $0.hasPrefix("->") }
      #expect(answers == ["-> failed: there is no such note", #"-> handled {"note":7}"#])
    }
  }

  @MainActor final class OnMain: ApplicationDelegate, SceneDelegate {
    var count = 0
    func application(_ application: Application, open url: URL, options: OpenURLOptions) -> Bool {
      MainActor.preconditionIsolated()
      count += 1
      return true
    }
  }

  actor OnItsOwn: ApplicationDelegate {
    var count = 0
    func application(_ application: Application, open url: URL, options: OpenURLOptions) -> Bool {
      preconditionIsolated()
      count += 1
      return true
    }
  }

  @Test func `A delegate runs on its declared actor, and blocks no others`() async throws {
    try await Stage.withStage { stage in
      let (onMain, onItsOwn) = (OnMain(), OnItsOwn())
      for delegate: any ApplicationDelegate in [onMain, onItsOwn] {
        let running = try await stage.start(.direct) { try await $0.run(delegate: delegate) }
        let broker = try await stage.broker()
        #expect(try await running.deliver(Play.envelope("notes://a"), from: broker).handled)
        await broker.close()
        try await running.end()
      }
      #expect(await onMain.count == 1)
      #expect(await onItsOwn.count == 1)
    }
  }

  @Test
  func `A URL that Foundation cannot parse is an error, but a delegate with contexts receives its bytes`()
    async throws
  {
    actor Exact: ApplicationDelegate {
      var urls: [String] = []
      func application(_ application: Application, open context: OpenURLContext) -> SceneResult {
        urls.append(context.urlString)
        return .handled
      }
    }
    let url = "notes://[bad"
    try await Stage.withStage { stage in
      let exact = Exact()
      for (delegate, handled) in [(exact, true), (OnItsOwn(), false)] as [(any ApplicationDelegate, Bool)] {
        let running = try await stage.start(.direct) { try await $0.run(delegate: delegate) }
        let broker = try await stage.broker()
        let reply = try await running.deliver(Play.envelope(url), from: broker)
        #expect(reply.handled == handled)
        #expect(reply.error?.contains("Foundation") == (handled ? nil : true))
        await broker.close()
        try await running.end()
      }
      #expect(await exact.urls == [url])
    }
  }
}
