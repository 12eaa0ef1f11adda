// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// Requests that cannot be stored, or for which there is no space.
@Suite struct `A broker that cannot write` {
  private static func status(_ desk: InstalledDesktop) async throws -> [String: Variant] {
    // A starting broker waits for the lock of its directory, on a slow machine longer than usual.
    try await desk.connect().call(
      BrokerInterface.status, at: BrokerInterface.broker, timeout: Command.defaultDeadline)
  }

  private static func store(_ desk: InstalledDesktop) -> String {
    "\(desk.desktop.runtimeDirectory)/usher/pending.sqlite"
  }

  /// Creates a file at the path of the directory.
  private static func bar(_ desk: InstalledDesktop) throws {
    try desk.desktop.write("in the way", to: "run/usher")
  }

  @Test(arguments: TargetKind.allCases)
  func `keeps requests while their callers wait, and reports it`(kind: TargetKind) async throws {
    try await InstalledDesktop.with { desk in
      try Self.bar(desk)
      let target = try await Target.install(kind, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [kind])
      // A request that is not stored is not accepted, so that a caller waiting for acceptance waits for the delivery.
      let report = try await desk.open("--wait", "accepted", target.url(1))
      #expect(report.status == 0 && report.outcome ?? "" > "accepted", "\(report)")
      #expect(try await target.next().urls == [target.url(1)])
      let status = try await Self.status(desk)
      #expect(
        status["storage"]?.string?.contains("\(desk.desktop.runtimeDirectory)/usher") == true, "\(status)")
      let doctor = try await desk.usher("doctor")
      #expect(doctor.status == 1)
      #expect(doctor.output.contains("they cannot be stored"), "\(doctor)")
    }
  }

  @Test func `that is killed while it sends reports unknown, and does not repeat the send`() async throws {
    try await InstalledDesktop.with { desk in
      try Self.bar(desk)
      _ = try await desk.killBrokerWhileItSends()
    }
  }

  @Test func `repeats the send to an application that detects repetitions if the caller asks again`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      try Self.bar(desk)
      let application = try await BusApplication.install(.silent, .application1, on: desk)
      async let report = desk.open("--timeout", timeLimit(15), "mimic:1")
      let first = try await application.nextCall()
      try await desk.killBroker()
      let again = try await application.nextCall()
      #expect(again["urls"] == first["urls"])
      _ = try await report
    }
  }

  @Test func `stores again when the obstacle is removed, and replies for both requests`() async throws {
    try await InstalledDesktop.with { desk in
      try Self.bar(desk)
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      async let early = desk.open("--wait", "handled", "mimic:1")
      #expect(try await application.next()["started"] == true)
      try FileManager.default.removeItem(atPath: "\(desk.desktop.runtimeDirectory)/usher")
      try await withDeadline(Command.defaultDeadline, "requests to be written down") {
        while try await Self.status(desk)["storage"] != nil {}
      }
      #expect(try await desk.open("--wait", "accepted", "mimic:2").outcome == "accepted")
      // Neither request is lost if the broker exits now: the caller repeats one, and the other is stored.
      try await desk.killBroker()
      async let last = desk.open("--wait", "handled", "mimic:3")
      #expect(try await application.next()["started"] == true)
      try await application.takeName(on: desk)
      var opened: Set<String> = []
      for _ in 1...3 {
        opened.formUnion(try await application.nextCall()["urls"]?.array?.compactMap(\.string) ?? [])
      }
      #expect(opened == ["mimic:1", "mimic:2", "mimic:3"])
      #expect(try await [early.outcome, last.outcome] == ["handled", "handled"])
    }
  }

  @Test func `serves without the store while another process has its directory locked`() async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.write("", to: "run/usher/.keep")
      let script =
        "import fcntl,os,sys; fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX); print('locked', flush=True); sys.stdin.read()"
      let lock = try await RunningProgram.start(
        "/usr/bin/python3", ["-c", script, "\(desk.desktop.runtimeDirectory)/usher"])
      _ = try await lock.line { $0 == "locked" }
      let start = ContinuousClock.now
      let storage = try await Self.status(desk)["storage"]?.string
      // It waits five seconds for the lock, and not two in each of fifty attempts.
      #expect(ContinuousClock.now - start < .seconds(60) * timeoutFactor)
      #expect(storage?.contains("locked by another process") == true, "\(storage ?? "none")")
      lock.closeInput()
      _ = await lock.waitUntilExit()
      try await withDeadline(Command.defaultDeadline, "the store to be opened") {
        while try await Self.status(desk)["storage"] != nil {}
      }
    }
  }

  /// Accepts `mimic:1` with the ID `mine`, and kills the broker; the next one cannot read the store until `restore` is called.
  private static func withUnreadableRequest(
    _ body:
      @Sendable (InstalledDesktop, BusApplication, OpenOptions, @Sendable () throws -> Void) async throws
      -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      var options = OpenOptions()
      options.wait = .accepted
      options.requestID = "mine"
      options.timeout = Command.defaultDeadline
      try await PipelinedOpener(desk).open(["mimic:1"], options)
      #expect(try await application.next()["started"] == true)
      try await desk.killBroker()
      let directory = "\(desk.desktop.runtimeDirectory)/usher"
      try FileManager.default.moveItem(atPath: directory, toPath: "\(directory).away")
      try bar(desk)
      try await body(desk, application, options) {
        try FileManager.default.removeItem(atPath: directory)
        try FileManager.default.moveItem(atPath: "\(directory).away", toPath: directory)
      }
      // The request arrives once.
      try await application.takeName(on: desk)
      #expect(try await application.nextCall()["urls"] == ["mimic:1"])
      let last = try await desk.open("--wait", "handled", "mimic:2")
      #expect(last.outcome == "handled", "\(last)")
      #expect(try await application.nextCall()["urls"] == ["mimic:2"])
      // Nothing of it is left for a later broker.
      try await desk.killBroker()
      #expect(try await desk.open("--wait", "handled", "mimic:3").outcome == "handled")
      #expect(try await application.nextCall()["urls"] == ["mimic:3"])
    }
  }

  @Test func `delivers a stored request once that its caller repeats before the store can be read`()
    async throws
  {
    try await Self.withUnreadableRequest { desk, application, options, restore in
      let opener = try await PipelinedOpener(desk)
      _ = await opener.send(["mimic:1"], options)
      #expect(try await application.next()["started"] == true)
      try restore()
      try await withDeadline(Command.defaultDeadline, "the store to be read") {
        while try await Self.status(desk)["storage"] != nil {}
      }
    }
  }

  @Test func `delivers a stored request once whose caller is the first to ask for it`() async throws {
    try await Self.withUnreadableRequest { desk, application, options, restore in
      #expect(try await Self.status(desk)["storage"] != nil)
      try restore()
      var options = options
      options.isAgain = true
      let (caller, entries) = (try await desk.connect(), options.entries)
      // The broker tries to read the store once a second.
      let receipt = try await withDeadline(Command.defaultDeadline, "the stored request to be known") {
        while true {
          try Task.checkCancellation()
          do {
            return try Receipt(
              try await caller.call(
                BrokerInterface.open, at: BrokerInterface.broker, ["mimic:1"], entries,
                timeout: Command.defaultDeadline))
          } catch let error as BusError {
            #expect(error.brokerError == .timeout, "\(error)")
          }
        }
      }
      #expect(receipt.outcome == .accepted)
      #expect(try await application.next()["started"] == true)
    }
  }

  @Test func `stores requests in a directory that replaced the previous one`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      #expect(try await Self.status(desk)["storage"] == nil)
      try FileManager.default.removeItem(atPath: "\(desk.desktop.runtimeDirectory)/usher")
      try await desk.usher("open", "--wait", "accepted", "mimic:1").orThrow()
      #expect(try await application.next()["started"] == true)
      try await desk.killBroker()
      async let last = desk.open("--wait", "handled", "mimic:2")
      #expect(try await application.next()["started"] == true)
      try await application.takeName(on: desk)
      #expect(try await application.nextCall()["urls"] == ["mimic:1"])
      #expect(try await application.nextCall()["urls"] == ["mimic:2"])
      #expect(try await last.outcome == "handled")
    }
  }

  /// The bus delivers the messages that it held for the name before the broker has read its file.
  @Test func `is not reported before a write has failed`() async throws {
    try await InstalledDesktop.with { desk in
      for _ in 0..<5 {
        async let first = Self.status(desk)
        async let second = Self.status(desk)
        let third = try await [first, second] + [Self.status(desk)]
        #expect(third.map { $0["storage"] } == [nil, nil, nil])
        try await desk.killBroker()
      }
    }
  }

  @Test func `moves a damaged file aside and continues`() async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.write(String(repeating: "no database ", count: 500), to: "run/usher/pending.sqlite")
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      #expect(try await desk.open("--wait", "accepted", target.url(1)).outcome == "accepted")
      let status = try await Self.status(desk)
      let aside = try #require(status["set-aside"]?.string)
      #expect(try String(contentsOfFile: aside, encoding: .utf8).hasPrefix("no database"))
      #expect(status["storage"] == nil)
      let doctor = try await desk.usher("doctor")
      #expect(doctor.output.contains(aside), "\(doctor)")
    }
  }

  @Test func `keeps a newer file, and reports its supported version`() async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.write("", to: "run/usher/.keep")
      try await Command.run(
        "python3",
        [
          "-c", "import sqlite3,sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version = 99')",
          Self.store(desk),
        ]
      ).orThrow()
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      #expect(try await desk.open(target.url(1)).status == 0)
      let storage = try await Self.status(desk)["storage"]?.string ?? ""
      #expect(storage.contains("newer Usher") && storage.contains("99"), "\(storage)")
    }
  }
}

@Suite struct `The limits of a broker` {
  private static func accepted(_ count: Int, on desk: InstalledDesktop) async throws -> [String?] {
    var options = OpenOptions()
    options.wait = .accepted
    var errors: [String?] = []
    for call in try await PipelinedOpener(desk).send((1...count).map { "mimic:\($0)" }, options) {
      do {
        _ = try await call.value
        errors.append(nil)
      } catch let error as BusError {
        #expect(error.name == BrokerErrorName.tooMany.errorName)
        errors.append(error.message)
      }
    }
    return errors
  }

  @Test(arguments: [
    ("target=12", "this caller already has 3 requests waiting for org.example.Mimic"),
    ("total=12", "this caller already has 3 URLs waiting"),
    ("bytes=7000", "this caller already has requests of 1557 bytes waiting"),
  ])
  func `are reported as TooMany with the limit`(limits: String, message: String) async throws {
    try await InstalledDesktop.with { desk in
      _ = try await BusApplication.install(.hesitates, .application1, on: desk)
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": limits])
      let errors = try await Self.accepted(5, on: desk)
      #expect(errors.prefix(3) == [nil, nil, nil])
      #expect(errors.suffix(2).allSatisfy { $0?.contains(message) == true }, "\(errors)")
      broker.program.kill()
    }
  }

  @Test func `count only unfinished requests`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      let broker = try await desk.startBroker(adding: [
        "USHER_TEST_LIMITS": "total=1 target=1 undecided=1"
      ])
      for number in 1...5 { #expect(try await desk.open(target.url(number)).status == 0) }
      let status = try await desk.connect().call(BrokerInterface.status, at: BrokerInterface.broker)
      #expect(status["pending"] == .uint32(0))
      broker.program.kill()
    }
  }

  @Test func `withdraw expired requests`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": "lifetime=1"])
      var options = OpenOptions()
      options.wait = .accepted
      options.timeout = .seconds(1)
      try await PipelinedOpener(desk).open(["mimic:old"], options)
      try await desk.waitUntilPending { $0 == 0 }
      try await application.takeName(on: desk)
      _ = try await desk.open("--timeout", timeLimit(60), "mimic:new")
      #expect(try await application.nextCall()["urls"] == ["mimic:new"])
      broker.program.kill()
    }
  }
}
