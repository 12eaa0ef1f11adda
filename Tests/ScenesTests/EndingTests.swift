// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Dispatch
import Synchronization
import Systemd
import TestSupport
import Testing

@testable import DBus
@testable import Scenes

/// Requests during the termination of an application: each is handled completely while the application owns its name,
/// or rejected as not delivered.
@Suite struct `Requests to an application that exits` {
  @Test func `One that arrives during the exit is rejected as not delivered`()
    async throws
  {
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let (opened, gate) = (Log(), Gate())
      let application = try await stage.started {
        var application = stage.application
        application.arguments = ["stage:early"]
        return try await application.run(delegate: Leaving(opened: opened, gate: gate))
      }
      #expect(try await opened.next() == "stage:early")
      application.run.cancel()
      #expect(try await opened.next() == "goodbye")
      let error = await #expect(throws: BusError.self) {
        try await application.deliver(Envelope(requestID: "1", urls: ["stage:late"]), from: broker)
      }
      #expect(error?.name == .nameHasNoOwner)
      await gate.open()
      try await application.end()
      #expect(await opened.finish() == [])
    }
  }

  /// A broker that is started in the meantime sends it to the next instance, which would handle it as well.
  @Test func `One that the broker sent before it heard of the end is rejected as not delivered`() async throws
  {
    try await Stage.withStage { stage in
      let observer = try await stage.connect()
      let owners = try await observer.owners(of: Stage.name)
      let (steps, isGone) = (Log(), DispatchSemaphore(value: 0))
      let target = Mutex<RemoteObject?>(nil)
      // A broker that reads its messages only during a call of its own.
      let reply = Task {
        try await BlockingWork.runAtOnce {
          let broker = try BlockingBusConnection(stage.address)
          _ = try broker.call(BusDaemon.requestName, at: .bus, BrokerInterface.busName.rawValue, 0)
          steps.add("is there")
          isGone.wait()
          guard let object = target.withLock({ $0 }) else { throw CancellationError() }
          let envelope = Envelope(requestID: "1", urls: ["stage:late"])
          return try broker.call(Application1Interface.deliver, at: object, envelope.entries)
        }
      }
      // Signalled after an error, too, because otherwise the thread would wait forever.
      defer { isGone.signal() }
      #expect(try await steps.next() == "is there")
      let application = try await stage.started {
        var application = stage.application
        application.arguments = ["stage:early"]
        application.brokerTimeout = .seconds(240)
        return try await application.run { request in
          steps.add(request.urlString)
          return .handled
        }
      }
      target.withLock { $0 = application.object }
      #expect(try await steps.next() == "stage:early")
      application.run.cancel()
      var hasBegun = false
      for await owner in owners {
        if hasBegun, owner == nil { break }
        hasBegun = owner != nil
      }
      await observer.close()
      isGone.signal()
      let error = await #expect(throws: BusError.self) { try await reply.value }
      #expect(error?.name == .nameHasNoOwner)
      try await application.end()
      #expect(await steps.finish() == [])
    }
  }

  /// The answer was that the outcome is unknown, and the link was lost.
  @Test func `One that waits for the preparation is rejected as not delivered, after the name is released`()
    async throws
  {
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let (log, gate) = (Log(), Gate())
      let application = try await stage.start(
        preparing: { await gate.pass() },
        { request in
          log.add(request.requestID)
          return .handled
        })
      let courier = Courier(broker, to: application)
      let waiting = await courier.send("1", "stage:a")
      try await courier.arrive()
      application.run.cancel()
      let error = await #expect(throws: BusError.self) { try await waiting.value }
      #expect(error?.name == .nameHasNoOwner)
      #expect(try await broker.owner(of: Stage.name) == nil)
      await gate.open()
      #expect(try await application.end() == .stopped)
      #expect(await log.finish() == [])
    }
  }

  /// The error was that its caller had cancelled it, so that a fallback was opened.
  @Test(
    arguments: [CancellationError(), SceneError.notOpened(.cancelled, "the task was cancelled")]
      as [any Error])
  func `One whose handler the second signal stops has an unknown outcome before the exit`(error: any Error)
    async throws
  {
    let (begun, opened) = (Log(), Log())
    let handler = ClosureHandler(applicationID: Stage.id, preparing: {}) { request in
      begun.add(request.requestID)
      try? await Task.sleep(for: .seconds(600))
      throw error
    }
    let server = SceneServer(
      Stage.id, at: RunningApplication.path, on: .shared, runtimeDirectory: nil, isColdStart: false,
      callbacks: PendingCallbacks(), answering: CallbackOpener(opened: opened), handler)
    await server.remember()
    await server.becomeReady()
    let url =
      "stage://x-callback-url/new?x-success=shop://done&x-error=shop://failed&x-cancel=shop://no"
    let reply = Task { try await server.handle(SceneRequest(Envelope(requestID: "1", urls: [url]))) }
    #expect(try await begun.next() == "1")
    let abandoning = Task { await server.abandon(after: .seconds(600)) }
    await server.shutDown(after: nil, releasing: nil)
    abandoning.cancel()
    let answers = await opened.finish()
    #expect(answers.count == 1 && answers.allSatisfy { $0.hasPrefix("shop://failed?errorCode=TargetFailed") })
    let unknown = await #expect(throws: BusError.self) { try await reply.value }
    #expect(unknown?.brokerError == .targetFailed)
    #expect(unknown?.message == "the application was ended while it handled the request")
  }
}

/// An opener that records the URLs.
private struct CallbackOpener: URLOpening {
  let opened: Log

  nonisolated(nonsending) func open(
    _ urls: [String], options: OpenOptions, progress: (@Sendable (RequestProgress) -> Void)?
  ) async throws(SceneError) -> Receipt {
    for url in urls { opened.add(url) }
    return Receipt(requestID: "1", deliveries: [])
  }

  nonisolated(nonsending) func canOpen(_ url: String) async throws(SceneError) -> Bool { true }
}

/// A delegate that delays its termination.
private struct Leaving: ApplicationDelegate {
  let opened: Log
  let gate: Gate

  func application(_ application: Application, open context: OpenURLContext) -> SceneResult {
    opened.add(context.urlString)
    return .handled
  }

  func applicationWillTerminate(_ application: Application) async {
    opened.add("goodbye")
    await gate.pass()
  }
}
