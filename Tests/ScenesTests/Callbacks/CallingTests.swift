// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import ScenesTesting
import Synchronization
import TestSupport
import Testing

@Suite struct `Calling another application with a callback` {
  /// Returns an application whose handler asks another one, and reports the answer.
  private func asking(
    _ log: Log, timeout: Duration = .seconds(300), in dependencies: Dependencies = Dependencies()
  ) -> TestApplication {
    TestApplication(in: dependencies) { request, application in
      let answer = try await application.open(
        "bear://x-callback-url/create?text=milk", callbackURLScheme: "notes", timeout: timeout)
      log.add("\(answer)")
      guard case .success(let values) = answer else { return .notHandled }
      return .handled(.string(values.map { "\($0.name)=\($0.value)" }.joined(separator: " ")))
    }
  }

  /// Returns dependencies that record the opened URLs.
  private func telling(_ asked: Log) -> Dependencies {
    var dependencies = Dependencies()
    dependencies.opening = { request in
      asked.add(request.urls[0])
      return Receipt(requestID: "1", deliveries: [], outcome: .delivered)
    }
    return dependencies
  }

  @Test func `The answer reaches the caller while its handler waits`() async throws {
    let (log, asked) = (Log(), Log())
    let app = asking(log, in: telling(asked))
    let request = await app.send("notes://start")
    let url = try #require(try XCallbackURL(try await asked.next()))
    #expect(url.source == "org.example.Application")
    let callback = try #require(url.callback(for: .success([.init("id", "7 & 8")])))
    #expect(try await app.open(callback) == .handled)
    #expect(try await request.result == .handled("id=7 & 8"))
    // A repeated or late answer has no recipient, and is not delivered as a link.
    #expect(try await app.open(callback) == .notHandled)
    #expect(try await app.open(try #require(url.callback(for: .cancel))) == .notHandled)
    #expect(app.calls == [.handler("notes://start")])
  }

  @Test(arguments: [
    (XCallbackAnswer.error(code: "404", message: "no such note"), XCallbackAnswer.Kind.error),
    (.cancel, .cancel),
  ])
  func `Every result is reported`(_ answer: XCallbackAnswer, _ kind: XCallbackAnswer.Kind) async throws {
    let (log, asked) = (Log(), Log())
    let app = asking(log, in: telling(asked))
    let request = await app.send("notes://start")
    let url = try #require(try XCallbackURL(try await asked.next()))
    try await app.open(try #require(url.callback(for: answer)))
    #expect(try await log.next() == "\(answer)")
    #expect(try await request.result == .notHandled)
  }

  @Test func `Each of two waiting callers gets its own answer`() async throws {
    let asked = Log()
    let app = TestApplication(in: telling(asked)) { _ in .handled }
    try await app.launch()
    let application = app.application
    let first = Task { try await application.open("a:1", callbackURLScheme: "notes") }
    let one = try await asked.next()
    let second = Task { try await application.open("a:2", callbackURLScheme: "notes") }
    let two = try await asked.next()
    func callback(_ asking: String, _ value: String) throws -> String {
      let name = "x-success="
      let start = try #require(asking.firstRange(of: name)?.upperBound)
      let encoded = asking[start...].prefix { $0 != "&" }
      return try #require(encoded.removingPercentEncoding) + "?from=\(value)"
    }
    try await app.open(callback(two, "two"))
    try await app.open(callback(one, "one"))
    #expect(try await first.value == .success([.init("from", "one")]))
    #expect(try await second.value == .success([.init("from", "two")]))
  }

  @Test func `A caller whose timeout expires gets an error, and a later answer is dropped`() async throws {
    let (log, asked) = (Log(), Log())
    let app = asking(log, timeout: .milliseconds(1), in: telling(asked))
    let request = await app.send("notes://start")
    let url = try #require(try XCallbackURL(try await asked.next()))
    await #expect(throws: RequestFailure.failed("no answer within 0.001 seconds")) {
      try await request.result
    }
    #expect(try await app.open(try #require(url.success)) == .notHandled)
  }

  @Test func `An answer arrives after the request failed with an unknown outcome`() async throws {
    let (log, asked) = (Log(), Log())
    var dependencies = Dependencies()
    dependencies.opening = { request throws(SceneError) in
      asked.add(request.urls[0])
      let delivery = Delivery(
        application: "org.example.Bear", outcome: .unknown, kind: .running,
        error: BrokerErrorName.timeout.errorName, message: "no reply")
      let receipt = Receipt(requestID: "1", deliveries: [delivery])
      throw .notOpened(BusError(.timeout, "no reply", details: receipt.entries))
    }
    let app = asking(log, in: dependencies)
    let request = await app.send("notes://start")
    let url = try #require(try XCallbackURL(try await asked.next()))
    try await app.open(try #require(url.success))
    #expect(try await request.result == .handled(""))
    // The other application may reply as late as it answers.
    #expect(app.opened.first?.options.timeout == .seconds(300))
  }

  @Test func `A URL without an application fails at once`() async throws {
    var dependencies = Dependencies()
    dependencies.opening = { _ throws(SceneError) in throw .notOpened(.noHandler, "nothing opens bear:") }
    let app = asking(Log(), in: dependencies)
    await #expect(throws: RequestFailure.failed("nothing opens bear:")) {
      try await app.open("notes://start")
    }
  }

  @Test func `A cancelled caller stops waiting`() async throws {
    let asked = Log()
    let app = asking(Log(), in: telling(asked))
    let request = await app.send("notes://start")
    _ = try await asked.next()
    await request.withdraw()
    await #expect(throws: RequestFailure.failed("the request was cancelled")) { try await request.result }
  }

  @Test func `A URL that has callbacks already is not opened`() async throws {
    let app = TestApplication { _ in .handled }
    try await app.launch()
    let error = await #expect(throws: SceneError.self) {
      try await app.application.open("bear://create?x-success=a:b", callbackURLScheme: "notes")
    }
    #expect(error?.description.contains("x-success") == true && app.opened.isEmpty)
  }

  @Test func `An answer to an earlier process is dropped`() async throws {
    let late = CallbackAddress(scheme: "notes").url(of: .success)
    let app = TestApplication { _ in .handled }
    #expect(try await app.open(late) == .notHandled)
    #expect(app.calls.isEmpty)
  }
}
