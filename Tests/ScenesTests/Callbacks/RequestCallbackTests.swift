// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import ScenesTesting
import TestSupport
import Testing

@Suite struct `Callers with a callback URL` {
  private static let url =
    "notes://x-callback-url/new?text=milk&x-source=Shop&x-success=shop://done&x-error=shop://failed&x-cancel=shop://no"

  private static var answering: Dependencies {
    var dependencies = Dependencies()
    dependencies.answersCallbacks = true
    return dependencies
  }

  /// Returns the URLs that an application opened with this handler.
  private func opened(
    _ url: String = Self.url,
    _ handler: @escaping @concurrent @Sendable (SceneRequest) async throws -> SceneResult
  ) async throws -> [String] {
    let app = TestApplication(in: Self.answering, handler)
    _ = try? await app.open(url)
    await app.untilIdle()
    return app.opened.flatMap(\.urls)
  }

  struct Broken: Error, CustomStringConvertible { let description = "out of ink" }

  @Test func `The result of the handler is the answer`() async throws {
    #expect(try await opened { _ in .handled } == ["shop://done"])
    #expect(
      try await opened { _ in .handled(["id": 7, "title": "a&b", "list": [1, 2]]) }
        == ["shop://done?id=7&list=%5B1%2C2%5D&title=a%26b"])
    #expect(try await opened { _ in .handled("text") } == ["shop://done?result=text"])
    #expect(
      try await opened { _ in .notHandled }
        == [
          "shop://failed?errorCode=NotHandled&errorMessage=the%20application%20does%20not%20support%20this%20x-callback-url%20action"
        ]
    )
    #expect(
      try await opened { _ in throw Broken() }
        == ["shop://failed?errorCode=TargetFailed&errorMessage=out%20of%20ink"])
    #expect(try await opened { _ in throw CancellationError() } == ["shop://no"])
  }

  @Test func `The handler reads the action, and may answer itself, once`() async throws {
    let log = Log()
    let opened = try await opened { request in
      let callback = try #require(request.callback)
      log.add("\(callback.url.action) \(callback.url["text"] ?? "") by \(callback.url.source ?? "")")
      #expect(callback.answer(.error(code: "404", message: nil)))
      #expect(!callback.answer(.success()))
      return .handled
    }
    #expect(try await log.next() == "new milk by Shop")
    #expect(opened == ["shop://failed?errorCode=404"])
  }

  @Test func `An answer can be sent after the handler returns, and only once`() async throws {
    let (callbacks, keeper) = AsyncStream<RequestCallback>.makeStream()
    let app = TestApplication(in: Self.answering) { request in
      let callback = try #require(request.callback)
      callback.answerLater()
      keeper.yield(callback)
      return .handled
    }
    try await app.open(Self.url)
    await app.untilIdle()
    #expect(app.opened.isEmpty)
    var kept: RequestCallback? = await callbacks.first { _ in true }
    #expect(kept?.answer(.success([.init("id", "7")])) == true)
    #expect(kept?.answer(.cancel) == false)
    kept = nil
    try await app.quit()
    #expect(app.opened.map(\.urls) == [["shop://done?id=7"]])
  }

  @Test func `An answer that is dropped counts as failed`() async throws {
    let opened = try await opened { request in
      request.callback?.answerLater()
      return .handled
    }
    #expect(opened.first?.hasPrefix("shop://failed?errorCode=TargetFailed") == true && opened.count == 1)
  }

  @Test func `A withdrawn request calls back with its cancellation`() async throws {
    let log = Log()
    let app = TestApplication(in: Self.answering) { _ in
      log.add("begun")
      try await Task.sleep(for: .seconds(600))
      return .handled
    }
    let request = await app.send(Self.url)
    #expect(try await log.next() == "begun")
    await request.withdraw()
    await #expect(throws: RequestFailure.cancelled) { try await request.result }
    await app.untilIdle()
    #expect(app.opened.map(\.urls) == [["shop://no"]])
  }

  @Test func `Results without a callback URL are not reported`() async throws {
    #expect(try await opened("notes://x-callback-url/new?x-error=shop://failed") { _ in .handled } == [])
  }

  @Test(arguments: ["javascript:alert(1)", "file:///etc/passwd", "data:,x", "not a URL"])
  func `A caller with a false callback URL is rejected before the handler runs`(_ lie: String) async throws {
    var url = XCallbackURL(scheme: "notes", action: "delete")
    url.success = lie
    let lying = url.url
    let app = TestApplication(in: Self.answering) { _ in .handled }
    let failure = await #expect(throws: RequestFailure.self) { try await app.open(lying) }
    #expect(failure?.description.hasPrefix("the callback is invalid: x-success") == true)
    #expect(app.calls.isEmpty && app.opened.isEmpty)
  }

  @Test func `An application without declared callbacks sends no answers`() async throws {
    let app = TestApplication { request in
      #expect(request.callback == nil)
      return .handled
    }
    try await app.open(Self.url)
    await app.untilIdle()
    #expect(app.opened.isEmpty && app.calls == [.handler(.urls([Self.url]))])
  }

  @Test func `A callback has the application as its source, and one more hop`() async throws {
    let app = TestApplication(in: Self.answering) { _ in .handled }
    var envelope = Envelope.urls([Self.url])
    envelope.hops = 3
    let first = await app.send(envelope)
    let again = await app.send(envelope)
    #expect(try await first.result == again.result)
    try await app.quit()
    let options = try #require(app.opened.first?.options)
    #expect(app.opened.count == 1)
    #expect(options.sourceApplication == "org.example.Application" && options.hops == 4)
  }

  @Test func `A crash behind the answer has the request handled once more, and not answered`() async throws {
    let directory = try TemporaryDirectory()
    var dependencies = Self.answering
    dependencies.runtimeDirectory = directory.path
    let (envelope, log, opened) = (Envelope.urls([Self.url]), Log(), Log())
    dependencies.opening = { request in
      opened.add(request.urls[0])
      return Receipt(requestID: "1", deliveries: [], outcome: .accepted)
    }
    let start: () -> TestApplication = { [dependencies] in
      TestApplication(in: dependencies) { request in
        request.callback?.answer(.success())
        log.add("answered")
        try await Task.sleep(for: .seconds(600))
        return .handled
      }
    }
    // The handler never returns, as after a crash, and the next instance reads the journal.
    let first = start()
    _ = await first.send(envelope)
    #expect(try await log.next() == "answered")
    #expect(try await opened.next() == "shop://done")
    let second = start()
    let request = await second.send(envelope)
    #expect(try await log.next() == "answered")
    await request.withdraw()
    await #expect(throws: RequestFailure.cancelled) { try await request.result }
    try await second.quit()
    #expect(await opened.finish() == [])
    withExtendedLifetime(first) {}
  }

  @Test func `Scenes answer as closures do`() async throws {
    struct Delegate: ApplicationDelegate {}
    struct Window: SceneDelegate {
      func scene(_: Scene, openURLContexts contexts: [OpenURLContext]) async throws -> SceneResult {
        .handled(["text": .string(contexts[0].request.callback?.url["text"] ?? "")])
      }
    }
    let app = TestApplication(
      delegate: Delegate(), scenes: SceneConfiguration { Window() }, in: Self.answering)
    try await app.open(Self.url)
    try await app.quit()
    #expect(app.opened.map(\.urls) == [["shop://done?text=milk"]])
  }
}
