// SPDX-License-Identifier: Apache-2.0
import ScenesTesting
import Synchronization
import TestSupport
import Testing

@Suite struct `Downloads under test` {
  /// A delegate with the method of `Scenes`.
  private final class Delegate: ApplicationDelegate {
    let downloads = Mutex<[FinishedDownload]>([])

    func application(_: Application, didFinish download: FinishedDownload) async throws {
      downloads.withLock { $0.append(download) }
    }
  }

  /// A delegate with UIKit's method, which calls the handler later, or never.
  private final class SessionDelegate: ApplicationDelegate {
    let sessions = Mutex<[String]>([])
    let calls: Bool

    init(calls: Bool) { self.calls = calls }

    func application(
      _: Application, handleEventsForBackgroundURLSession identifier: String,
      completionHandler: @escaping @Sendable () -> Void
    ) async throws {
      let name = SceneRequest.current?.finishedDownload?.identifier ?? ""
      sessions.withLock { $0.append("\(identifier) \(name)") }
      if calls { Task { completionHandler() } }
    }
  }

  /// A delegate without a method for downloads.
  private struct Silent: ApplicationDelegate {}

  private static func request(
    _ identifier: String? = "map", session: String? = nil
  ) throws -> DownloadRequest {
    let url = try #require(DownloadURL("https://example.org/maps/map.zip?token=1"))
    var request = DownloadRequest(identifier: identifier, url: url)
    request.session = session
    return request
  }

  @Test func `reach the delegate with their outcomes`() async throws {
    let delegate = Delegate()
    let app = TestApplication(delegate: delegate)
    try await app.launch()
    let downloads = app.application.downloads
    let task = try await downloads.add(try Self.request(session: "maps"))
    #expect(task.identifier == "map" && task.sessionIdentifier == "maps" && task.state == .waiting)
    #expect(task.file.hasSuffix("/org.example.Application/Downloads/map.zip"))
    var progress = try await downloads.progress().makeAsyncIterator()
    try app.reportDownload("map", received: 10, total: 40)
    let reported = await progress.next()
    #expect(reported?.countOfBytesReceived == 10 && reported?.countOfBytesExpectedToReceive == 40)
    #expect(reported?.identifier == "map" && reported?.sessionIdentifier == "maps")
    #expect(try await downloads.allTasks().map(\.state) == [.running])
    try await downloads.suspend(withIdentifiers: ["map", "unknown"])
    #expect(try await downloads.allTasks().map(\.state) == [.suspended])
    try await downloads.resume(withIdentifiers: ["map"])
    #expect(try await app.finishDownload("map", file: "/fixtures/map.zip", size: 40) == .handled)
    #expect(app.pendingDownloads == [])
    try await downloads.add(try Self.request())
    try await app.failDownload("map", DownloadFailure(.rejected, "the server does not have the file"))
    let random = try await downloads.add(try Self.request(nil))
    try await app.cancelDownload(random.identifier)
    let finished = delegate.downloads.withLock(\.self)
    #expect(finished.map(\.outcome) == [.completed, .failed, .cancelled])
    #expect(finished.map(\.file) == ["/fixtures/map.zip", nil, nil])
    #expect(finished.map(\.errorKind) == [nil, .rejected, nil])
    #expect(finished.map(\.sessionIdentifier) == ["maps", nil, nil])
    #expect(
      app.takeCalls().suffix(3).map(\.description) == [
        #".didFinishDownload("map", .completed)"#, #".didFinishDownload("map", .failed)"#,
        ".didFinishDownload(\"\(random.identifier)\", .cancelled)",
      ])
  }

  @Test func `that the application cancels itself have no outcome`() async throws {
    let delegate = Delegate()
    let app = TestApplication(delegate: delegate)
    try await app.launch()
    try await app.application.downloads.add(try Self.request())
    try await app.application.downloads.cancel(withIdentifiers: ["map"])
    #expect(try await app.application.downloads.allTasks() == [])
    await #expect(throws: RequestFailure.self) { try await app.finishDownload("map") }
    await #expect(throws: RequestFailure.self) { try await app.failDownload("map", .init(.disk, "full")) }
    await #expect(throws: RequestFailure.self) { try await app.cancelDownload("map") }
    #expect(throws: RequestFailure.self) { try app.reportDownload("map", received: 1) }
    #expect(delegate.downloads.withLock(\.self) == [])
  }

  @Test(arguments: [true, false])
  func `of a session reach the method with UIKit's signature, also one that never calls its handler`(
    _ calls: Bool
  ) async throws {
    let delegate = SessionDelegate(calls: calls)
    let app = TestApplication(delegate: delegate, scenes: SceneConfiguration { NoScene() })
    try await app.launch()
    try await app.application.downloads.add(try Self.request(session: "maps"))
    #expect(try await app.finishDownload("map") == .handled)
    #expect(delegate.sessions.withLock(\.self) == ["maps map"])
    // A download without a session is for `didFinish`.
    try await app.application.downloads.add(try Self.request())
    #expect(try await app.finishDownload("map") == .notHandled)
  }

  private struct NoScene: SceneDelegate {}

  @Test func `reach the general method of a delegate without a method for them, and a closure`() async throws
  {
    let app = TestApplication(delegate: Silent())
    try await app.launch()
    try await app.application.downloads.add(try Self.request(session: "maps"))
    #expect(try await app.finishDownload("map") == .notHandled)
    let closure = TestApplication { request in
      request.finishedDownload?.file == "/fixtures/map.zip" ? .handled : .notHandled
    }
    try await closure.launch()
    try await closure.application.downloads.add(try Self.request())
    #expect(try await closure.finishDownload("map", file: "/fixtures/map.zip") == .handled)
  }

  @Test func `are refused with the rules of usher-triggers`() async throws {
    let app = TestApplication(delegate: Silent())
    try await app.launch()
    let downloads = app.application.downloads
    var wrong = try Self.request()
    wrong.headers = ["Range": "bytes=1-"]
    let ranged = wrong
    let refused = await #expect(throws: SceneError.self) { try await downloads.add(ranged) }
    #expect(refused?.brokerError == .invalidRequest && refused?.description.contains("headers") == true)
    for number in 0..<64 { try await downloads.add(try Self.request("\(number)")) }
    let again = try Self.request("0")
    let taken = await #expect(throws: SceneError.self) { try await downloads.add(again) }
    #expect(taken?.brokerError == .invalidRequest)
    let more = try Self.request()
    let tooMany = await #expect(throws: SceneError.self) { try await downloads.add(more) }
    #expect(tooMany?.brokerError == .tooMany)
  }
}
