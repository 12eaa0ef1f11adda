// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// The answers of a target that has the request: the rows of the table of promises.
@Suite struct `An application's answer` {
  @Test func `a value returns to its caller`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      for delivery in ["launch", "running"] {
        let report = try await desk.open("--wait", "handled", "notes://note/7?tab=edit")
        #expect(report.status == 0, "\(report)")
        #expect(report.outcome == "handled")
        #expect(report.first?["value"] == ["note": 7, "tab": "edit"])
        #expect(report.first?["delivery"]?.string == delivery)
        #expect(report.first?["application"] == "org.example.Notes")
      }
    }
  }

  @Test func `a plain program is delivered at its start and handled at its end`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      #expect(try await desk.open("play:1").outcome == "delivered")
      #expect(try await desk.open("--wait", "handled", "play:2").outcome == "handled")

      let failing = try desk.desktop.installScript("failing", "#!/bin/sh\nexit 7\n")
      try desk.desktop.installDesktopEntry("org.example.Player", exec: "\(failing) %u", schemes: ["play"])
      #expect(try await desk.open("play:3").status == 0)
      let report = try await desk.open("--wait", "handled", "play:4")
      #expect(report.status == 6, "\(report)")
      #expect(report.error == "TargetFailed")
      #expect(report.message.contains("7"), "\(report.message)")
    }
  }

  /// The kernel rejects an argument above 128 KiB, so that the second of the two programs is not executed.
  @Test func `a fallback is not opened when a part of the links arrived`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      let long = "play:" + String(repeating: "x", count: 200_000)
      var options = OpenOptions()
      options.fallback = "play:instead"
      do {
        _ = try await desk.connect().call(
          BrokerInterface.open, at: BrokerInterface.broker, ["play:1", long], options.entries)
        Issue.record("it was opened")
      } catch let error as BusError {
        #expect(error.name == BrokerErrorName.launchFailed.errorName, "\(error)")
        #expect(try Receipt(error.details).outcome == .unknown)
      }
      try await desk.usher("open", "play:end").orThrow()
      let arrived = [try await target.next().urls, try await target.next().urls]
      #expect(Set(arrived) == [["play:1"], ["play:end"]])
    }
  }

  @Test func `a standard application is delivered, never handled`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await Target.install(.gApplication, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.gApplication])
      let report = try await desk.open("gtk-notes:1")
      #expect(report.status == 0, "\(report)")
      #expect(report.outcome == "delivered")
    }
  }

  @Test func `a link that Notes does not know is NotHandled`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      let report = try await desk.open("notes://nowhere")
      #expect(report.status == 6, "\(report)")
      #expect(report.error == "NotHandled")
      try await desk.expectBusError("NotHandled", opening: "notes://nowhere")
      // The handler throws an error for a link that its route table cannot parse.
      let thrown = try await desk.open("notes://note/7?tab=%zz")
      #expect(thrown.status == 6, "\(thrown)")
      #expect(thrown.error == "TargetFailed")
    }
  }

  @Test(arguments: [
    (BusApplication.Behaviour.refuses, "NotHandled", "did not handle the request"),
    (.fails, "TargetFailed", "the disk is on fire"), (.raises, "TargetFailed", "the disk is on fire"),
  ])
  func `not handled, and an error, are returned unchanged`(
    behaviour: BusApplication.Behaviour, error: String, message: String
  ) async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(behaviour, .application1, on: desk)
      let report = try await desk.open("mimic:1")
      #expect(report.status == 6, "\(report)")
      #expect(report.error == error)
      #expect(report.outcome == "failed")
      #expect(report.message.contains(message), "\(report.message)")
      try await desk.expectBusError(error, opening: "mimic:2")
      #expect(try await application.nextCall()["urls"] == ["mimic:1"])
      #expect(try await application.nextCall()["urls"] == ["mimic:2"])
    }
  }

  @Test func `the error of a standard application is TargetFailed`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await BusApplication.install(.raises, .standard, on: desk)
      let report = try await desk.open("mimic:1")
      #expect(report.status == 6, "\(report)")
      #expect(report.error == "TargetFailed")
      #expect(report.message.contains("the disk is on fire"), "\(report.message)")
    }
  }

  /// An application may have opened the link before its own call of another service failed.
  @Test(
    arguments: [
      BusApplication.Behaviour.raisesServiceUnknown, .raisesNoReply, .raisesDisconnected,
      .raisesNameHasNoOwner,
    ],
    [BusApplication.Interface.application1, .standard])
  func `the error of a call that the application makes itself is TargetFailed, and nothing is sent again`(
    behaviour: BusApplication.Behaviour, interface: BusApplication.Interface
  ) async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(behaviour, interface, on: desk)
      for url in ["mimic:1", "mimic:2"] {
        let report = try await desk.open(url)
        #expect(report.status == 6 && report.error == "TargetFailed", "\(report)")
        #expect(report.outcome == "failed", "\(report)")
        #expect(report.message.contains("the disk is on fire"), "\(report)")
      }
      #expect(try await application.next()["started"] == true)
      // No other call and no other start is between them.
      #expect(try await application.next()["urls"] == ["mimic:1"])
      #expect(try await application.next()["urls"] == ["mimic:2"])
    }
  }

  @Test func `an application that exits while it handles a request receives it once more`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.diesOnce, .application1, on: desk)
      let report = try await desk.open("--wait", "handled", "mimic:1")
      #expect(report.status == 0, "\(report)")
      #expect(report.outcome == "handled")
      let first = try await application.nextCall()
      let second = try await application.nextCall()
      #expect(first["request-id"] != nil && first["request-id"] == second["request-id"])
      #expect(first["urls"] == second["urls"])
      #expect(first["redelivered"] == nil && second["redelivered"] == true)
    }
  }

  @Test func `an application that exits twice while it handles a request is TargetFailed`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.dies, .application1, on: desk)
      let report = try await desk.open("mimic:1")
      #expect(report.status == 6, "\(report)")
      #expect(report.error == "TargetFailed")
      #expect(report.outcome == "unknown")
      #expect(report.message.contains("exited twice before it answered"), "\(report.message)")
      #expect(try await application.nextCall()["request-id"] == application.nextCall()["request-id"])
      try await desk.expectNothingLeft()
      // The request is not sent a third time: the next call is a different one.
      _ = try await desk.open("mimic:2")
      #expect(try await application.nextCall()["urls"] == ["mimic:2"])
    }
  }

  /// The oldest of the three was blamed, so that the third was delivered three times.
  @Test func `only the request that crashes an application fails, if the application names what it handles`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.handlesSeveral, .application1, on: desk)
      var running: [Task<OpenReport, any Error>] = []
      let urls = ["mimic:1", "mimic:2", "mimic:crash"]
      for (index, url) in urls.enumerated() {
        running.append(Task { try await desk.open("--wait", "handled", url) })
        let call = try await application.nextCall()
        #expect(call["urls"] == [.string(url)] && call["beside"] == .integer(Int64(index)))
      }
      for url in urls {
        let call = try await application.nextCall()
        #expect(call["urls"] == [.string(url)] && call["beside"] == 0)
      }
      for (task, outcome) in zip(running, ["handled", "handled", "unknown"]) {
        #expect(try await task.value.outcome == outcome)
      }
      try await desk.expectNothingLeft()
      #expect(try await desk.open("--wait", "handled", "mimic:3").outcome == "handled")
      #expect(try await application.nextCall()["urls"] == ["mimic:3"])
    }
  }

  @Test(arguments: [BusApplication.Behaviour.dies, .silent])
  func `without a reply of a standard application the outcome is unknown, and the call is not repeated`(
    behaviour: BusApplication.Behaviour
  ) async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(behaviour, .standard, on: desk)
      let limit = timeLimit(behaviour == .dies ? 60 : 5)
      let report = try await desk.open("--timeout", limit, "mimic:1")
      #expect(report.status == 5, "\(report)")
      #expect(report.outcome == "unknown")
      #expect(report.error == "Timeout")
      #expect(try await application.nextCall()["urls"] == ["mimic:1"])
      // The next instance would receive the first call before the second one.
      for pid in application.processes(on: desk) { try await desk.end(pid) }
      _ = try await desk.open("--timeout", limit, "mimic:2")
      #expect(try await application.nextCall()["urls"] == ["mimic:2"])
    }
  }

  @Test func `Rule 4: without a reply in time the outcome is unknown`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.silent, .application1, on: desk)
      let report = try await desk.open("--timeout", timeLimit(5), "--wait", "handled", "mimic:1")
      #expect(report.status == 5, "\(report)")
      #expect(report.outcome == "unknown")
      #expect(report.error == "Timeout")
      #expect(report.first?["delivery"] == "launch")
      #expect(try await application.nextCall()["urls"] == ["mimic:1"])
    }
  }

  /// The second application exits while it handles the request, and cannot be started again.
  @Test(
    arguments: [
      (.dies, "TargetFailed", false), (.diesForGood, "LaunchFailed", false),
      (.refuses, nil, true), (.fails, nil, true), (.exitsAtOnce, nil, true),
    ] as [(BusApplication.Behaviour, String?, Bool)])
  func `a fallback is opened unless the request may have had its effect`(
    behaviour: BusApplication.Behaviour, error: String?, isOpened: Bool
  ) async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(behaviour, .application1, on: desk)
      let other = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setDefaults([
        "mimic": ["org.usher.Handler", application.id], "play": ["org.usher.Handler", TargetKind.plain.id],
      ])
      let report = try await desk.open("--fallback", "play:instead", "mimic:1")
      #expect(report.error == error, "\(report)")
      #expect(report.outcome == (isOpened ? "delivered" : "unknown"), "\(report)")
      try await desk.usher("open", "play:end").orThrow()
      // Programs that were started in sequence report in any order.
      var arrived = try await other.next().urls
      if isOpened { arrived += try await other.next().urls }
      #expect(arrived.sorted() == (isOpened ? ["play:end", "play:instead"] : ["play:end"]))
    }
  }

  private enum Unreadable: CaseIterable {
    case tooLong, withDescriptor, ofAnotherType, ofStandardCall

    func member() throws -> BusMember {
      let unknown: Variant
      switch self {
      case .tooLong: unknown = .array(of: "b", Array(repeating: true, count: 70_000))
      case .withDescriptor: unknown = .unixFD(try #require(UnixFD(duplicating: 0)))
      case .ofAnotherType:
        let deliver = BusMethod<Arguments<[String: Variant]>, Arguments<String>>(
          "Deliver", of: Application1Interface.name, takes: ["envelope"], returns: ["reply"])
        return .method(deliver) { _, _ in "handled" }
      case .ofStandardCall:
        let open = BusMethod<Arguments<[String], [String: Variant]>, Arguments<String>>(
          "Open", of: ApplicationInterface.name, takes: ["uris", "platform_data"], returns: ["reply"])
        return .method(open) { _, _, _ in "opened" }
      }
      return .method(Application1Interface.deliver) { _, _ in ["handled": true, "x-unknown": unknown] }
    }
  }

  @Test(arguments: Unreadable.allCases)
  private func `that cannot be read leaves the outcome unknown, and no fallback is opened`(
    answer: Unreadable
  ) async throws {
    try await InstalledDesktop.with { desk in
      let other = try await Target.install(.plain, on: desk.desktop)
      let says = answer == .ofStandardCall ? "DBusActivatable=true" : "Implements=org.usher.Application1;"
      try desk.desktop.installDesktopEntry(
        ServedApplication.id, exec: "/bin/false %u", schemes: [ServedApplication.scheme], lines: [says])
      try desk.desktop.setDefaults([
        ServedApplication.scheme: ["org.usher.Handler", ServedApplication.id],
        "play": ["org.usher.Handler", TargetKind.plain.id],
      ])
      let bus = try await desk.connect()
      try await bus.export(BusObject(ServedApplication.path, [try answer.member()]))
      #expect(try await bus.requestName(ServedApplication.name) == .owned)
      let report = try await desk.open("--fallback", "play:instead", "served:1")
      #expect(report.error == "TargetFailed" && report.outcome == "unknown", "\(report)")
      #expect(report.message.contains("org.example.Served sent an invalid reply"), "\(report)")
      try await desk.usher("open", "play:end").orThrow()
      #expect(try await other.next().urls == ["play:end"])
    }
  }

  @Test func `a full queue is TooMany only for the caller that filled it`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await BusApplication.install(.silent, .application1, on: desk)
      var options = OpenOptions()
      options.wait = .accepted
      let urls = (1...1_000).map { "mimic:\($0)" }
      try await PipelinedOpener(desk).open(urls, options)
      let more = await PipelinedOpener(try await desk.connect()).send(["mimic:1001"], options)[0].result
      #expect("\(more)".contains("org.usher.Error.TooMany"), "\(more)")
      let report = try await desk.open("--wait", "accepted", "mimic:1002")
      #expect(report.status == 0, "\(report)")
    }
  }
}
