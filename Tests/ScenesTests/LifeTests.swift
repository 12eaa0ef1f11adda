// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import TestSupport
import Testing

@testable import Scenes

@Suite struct LifeTests {
  @Test func `The bus name is released only after the replies`() async throws {
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let (log, gate) = (Log(), Gate())
      let application = try await stage.start { request in
        log.add(request.urlString)
        await gate.pass()
        return .handled
      }
      let owners = try await broker.owners(of: Stage.name)
      let courier = Courier(broker, to: application)
      let first = await courier.send("1", "stage:1")
      #expect(try await log.next() == "stage:1")
      let second = await courier.send("2", "stage:2")
      try await courier.arrive()
      application.run.cancel()
      // During its termination the application still owns its name and answers.
      #expect(try await broker.owner(of: Stage.name) == application.uniqueName)
      await gate.open()
      #expect(try await first.value.handled)
      #expect(try await second.value.handled)
      #expect(await owners.first { $0 == nil } != nil)
      #expect(try await application.end() == .stopped)
    }
  }

  @Test func `An application that is asked to end just as it finishes ends, in sixty runs`() async throws {
    try await Stage.withStage { stage in
      for _ in 0..<60 {
        let log = Log()
        let application = try await stage.start(arguments: ["stage:a"]) { _ in
          log.add("handled")
          return .handled
        }
        #expect(try await log.next() == "handled")
        #expect(try await application.end() == .stopped)
      }
    }
  }

  @Test func `The second signal does not wait for the handler`() async throws {
    // A separate process, because signals affect the whole process and thereby other tests.
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let directory = try TemporaryDirectory()
      var environment = Command.bareEnvironment
      environment["DBUS_SESSION_BUS_ADDRESS"] = try stage.address.resolved()
      let heard = try await broker.signals(Application1Interface.progress)
      let owners = try await broker.owners(of: Stage.name)
      let program = try await RunningProgram.start(
        "\(BuiltProducts.directory)/SceneProbe", [Stage.id, "\(directory.path)/log"], environment: environment
      )
      let owner = try await withDeadline(Command.defaultDeadline, "the probe's name") {
        await owners.first { $0 != nil } ?? nil
      }
      let application = RunningApplication(uniqueName: try #require(owner), run: Task { .stopped })
      let courier = Courier(broker, to: application)
      let reply = await courier.send("1", "probe:hang")
      let waiting = await courier.send("2", "probe:ok")
      _ = try await withDeadline(Command.defaultDeadline, "the handler's begin") {
        await heard.first { _ in true }
      }
      program.send(SIGTERM)
      // During its termination the application still owns its name and answers.
      try await courier.arrive()
      #expect(try await broker.owner(of: Stage.name) == application.uniqueName)
      // A different signal, because two equal pending signals may be merged.
      program.send(SIGINT)
      #expect(await program.waitUntilExit().status == 0)
      // The answer to both was that the caller had cancelled it.
      let stopped = await #expect(throws: BusError.self) { try await reply.value }
      #expect(stopped?.brokerError != .cancelled)
      let error = await #expect(throws: BusError.self) { try await waiting.value }
      #expect(error?.name == .nameHasNoOwner)
    }
  }

  @Test func `An argument is a request without a source`() async throws {
    try await Stage.withStage { stage in
      let log = Log()
      let application = try await stage.start(arguments: ["--verbose", "stage:a", "file.txt", "stage:b"]) {
        request in
        log.add(
          "\(request.urlStrings) \(request.sourceApplication ?? "-") \(request.assurance) \(request.delivery)"
        )
        return .handled
      }
      #expect(try await log.next() == #"["stage:a", "stage:b"] - unknown launch"#)
      try await application.end()
    }
  }

  /// To the broker it would be a redirect loop: the application opens a URL that it received a moment ago.
  @Test func `A second instance hands over to the first, not to the broker`() async throws {
    try await Stage.withStage { stage in
      let broker = try await stage.connect()
      let log = Log()
      try await broker.export(
        BusObject(
          BrokerInterface.path,
          [
            .method(BrokerInterface.open) { _, uris, options async throws(BusError) in
              throw BusError(.loop, "the application opens what it received")
            }
          ]))
      #expect(try await broker.requestName(BrokerInterface.busName) == .owned)
      let application = try await stage.start { request in
        log.add("\(request.urlStrings)")
        return .handled
      }
      let second = stage.run(arguments: ["stage:a", "stage:b"]) { _ in .handled }
      #expect(try await second.value == .forwarded)
      #expect(try await log.next() == #"["stage:a", "stage:b"]"#)
      try await application.end()
    }
  }

  @Test func `A second instance without a broker forwards its URL to the first`() async throws {
    try await Stage.withStage { stage in
      let log = Log()
      let application = try await stage.start { request in
        log.add("\(request.reason) \(request.urlStrings)")
        return .handled
      }
      #expect(try await stage.run(arguments: ["stage:a"]) { _ in .handled }.value == .forwarded)
      #expect(try await log.next() == #"url ["stage:a"]"#)
      #expect(try await stage.run { _ in .handled }.value == .forwarded)
      #expect(try await log.next() == "activate []")
      try await application.end()
    }
  }

  @Test func `A second instance forwards any number of URLs, in requests within the limits`() async throws {
    try await Stage.withStage { stage in
      let log = Log()
      let application = try await stage.start { request in
        log.add("\(request.urlStrings.count) \(request.urlStrings.first ?? "-")")
        return .handled
      }
      let urls = (0..<600).map { "stage:\($0)" }
      let peer = try await stage.connect()
      let error = await #expect(throws: BusError.self) {
        try await application.open(Array(urls.prefix(513)), from: peer)
      }
      #expect(error?.brokerError == .tooMany)
      #expect(try await stage.run(arguments: urls) { _ in .handled }.value == .forwarded)
      try await application.end()
      #expect(await log.finish() == ["512 stage:0", "88 stage:512"])
    }
  }

  @Test func `A second instance forwards the URLs after those that fail`() async throws {
    try await Stage.withStage { stage in
      let log = Log()
      let application = try await stage.start { request in
        log.add("\(request.urlStrings.count)")
        return request.urlStrings.count == RequestSize.maximumURLs ? .notHandled : .handled
      }
      await #expect(throws: SceneError.self) {
        try await stage.run(arguments: (0..<600).map { "stage:\($0)" }) { _ in .handled }.value
      }
      try await application.end()
      #expect(await log.finish() == ["512", "88"])
    }
  }

  /// Starts an instance that fails to open the first part of ``failingURLs``, and exits before it accepts the next one.
  ///
  /// - Parameter releasesName: `false` if it keeps its name meanwhile.
  private func failingInstance(
    on stage: Stage, releasesName: Bool = true,
    exit: @escaping @Sendable () async throws(BusError) -> Void = {}
  ) async throws -> BusConnection {
    let instance = try await stage.connect()
    try await instance.export(
      BusObject(
        RunningApplication.path,
        [
          .method(ApplicationInterface.open) { _, urls, _ async throws(BusError) in
            guard urls.first != "probe:quit/0" else { throw BusError(.targetFailed, "the note is locked") }
            if releasesName { try await instance.releaseName(Stage.name) }
            try await exit()
            throw BusError(.nameHasNoOwner, "it has exited")
          }
        ]))
    #expect(try await instance.requestName(Stage.name) == .owned)
    return instance
  }

  private static let failingURLs = (0..<600).map { "probe:quit/\($0)" }

  @Test func `A second instance that continues for one that exits prints the error of that one`() async throws
  {
    try await Stage.withStage { stage in
      let first = try await failingInstance(on: stage)
      var environment = Command.bareEnvironment
      environment["DBUS_SESSION_BUS_ADDRESS"] = try stage.address.resolved()
      let second = try await Command.run(
        "\(BuiltProducts.directory)/SceneProbe", [Stage.id, "/dev/null"] + Self.failingURLs,
        environment: environment)
      // It has handled the other URLs, which end it.
      #expect(second.status == 0, "\(second)")
      #expect(
        second.errorOutput.contains("\(Stage.id): the running instance did not accept the URLs: "),
        "\(second)")
      #expect(second.errorOutput.contains("the note is locked"), "\(second)")
      await first.close()
    }
  }

  @Test func `A second instance prints both errors of one that does not accept the other URLs`() async throws
  {
    try await Stage.withStage { stage in
      let first = try await failingInstance(on: stage, releasesName: false)
      var environment = Command.bareEnvironment
      environment["DBUS_SESSION_BUS_ADDRESS"] = try stage.address.resolved()
      let second = try await Command.run(
        "\(BuiltProducts.directory)/SceneProbe", [Stage.id, "/dev/null"] + Self.failingURLs,
        environment: environment)
      #expect(second.status != 0, "\(second)")
      for reason in ["the note is locked", "it has exited"] {
        #expect(second.errorOutput.contains(reason), "\(second)")
      }
      await first.close()
    }
  }

  @Test func `A second instance has the error of one that exits also if another accepts the other URLs`()
    async throws
  {
    try await Stage.withStage { stage in
      let log = Log()
      let next = try await stage.connect()
      try await next.export(
        BusObject(
          RunningApplication.path,
          [
            .method(ApplicationInterface.open) { _, urls, _ async throws(BusError) in
              log.add("\(urls.count) \(urls.first ?? "-")")
            }
          ]))
      let first = try await failingInstance(on: stage) { () async throws(BusError) in
        _ = try await next.requestName(Stage.name)
      }
      let error = await #expect(throws: SceneError.self) {
        try await stage.run(arguments: Self.failingURLs) { _ in .handled }.value
      }
      #expect(error?.description.contains("the note is locked") == true)
      #expect(await log.finish() == ["88 probe:quit/512"])
      for instance in [first, next] { await instance.close() }
    }
  }

  /// It sent nothing, because the shell of a program that the bus has started passes `DBUS_STARTER_ADDRESS` on.
  @Test func `A second instance with an inherited variable of a start activates the first`() async throws {
    try await Stage.withStage { stage in
      let log = Log()
      let application = try await stage.start { request in
        log.add("\(request.reason) \(request.activationToken ?? "-")")
        return .handled
      }
      var second = stage.application
      second.processStart = LaunchContext(urls: [], activationToken: "click", isAwaited: true)
      #expect(try await second.run { _ in .handled } == .forwarded)
      #expect(try await log.next() == "activate click")
      try await application.end()
    }
  }

  @Test func `A rejection by the first instance is an error`() async throws {
    try await Stage.withStage { stage in
      let application = try await stage.start { _ in .notHandled }
      let error = await #expect(throws: SceneError.self) {
        try await stage.run(arguments: ["stage:a"]) { _ in .handled }.value
      }
      #expect(error?.description.contains("does not open this") == true)
      try await application.end()
    }
  }

  @Test func `The application reconnects to a restarted bus`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let stage = Stage(address: .address(desktop.busAddress))
      let application = try await stage.start { _ in .handled("still here") }
      await bus.kill()
      let again = try await PrivateBus.start(in: desktop)
      let broker = try await stage.broker()
      let owners = try await broker.owners(of: Stage.name)
      let owner = try #require(
        try await withDeadline(Command.defaultDeadline, "the name") {
          await owners.first { $0 != nil } ?? nil
        })
      let object = RunningApplication(uniqueName: owner, run: application.run)
      let reply = try await object.deliver(Envelope(requestID: "1", urls: ["stage:a"]), from: broker)
      #expect(reply == Reply(handled: true, value: "still here"))
      #expect(try await application.end() == .stopped)
      await again.stop()
    }
  }

  @Test(arguments: ["", "Notes", ":1.7", "org.1example.Notes", "org.example.No tes"])
  func `An ID that is not a bus name is rejected`(id: String) async {
    let error = await #expect(throws: SceneError.self) { () async throws in
      _ = try await SceneApplication(id).run { _ in SceneResult.handled }
    }
    #expect(error?.description.hasPrefix("\(id) is not an application ID") == true)
  }

  @Test func `The error says that there is no bus`() async throws {
    let stage = Stage(address: .address("unix:path=/nonexistent/bus"))
    let error = await #expect(throws: SceneError.self) { try await stage.run { _ in .handled }.value }
    #expect(error?.description.contains("needs a user bus") == true)
  }
}

@Suite struct `A program that runs an application as its main function` {
  @Test func `prints the error, and exits with its status`() async throws {
    let run = try await Command.run(
      "\(BuiltProducts.directory)/SceneProbe", ["org.example.Probe", "/dev/null"],
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus", "PATH": "/usr/bin:/bin"])
    #expect(run.status == 69, "\(run)")
    #expect(run.errorOutput.hasPrefix("org.example.Probe: this application needs a user bus: "), "\(run)")
    #expect(run.errorOutput.split(separator: "\n").count == 1, "\(run)")
  }
}
