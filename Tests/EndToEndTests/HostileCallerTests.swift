// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// Calls that any program on the bus can send, and the data that the broker stores and reports of them.
@Suite struct `A hostile caller` {
  @Test func `the largest number of hops is a Loop, with a fallback as well`() async throws {
    try await InstalledDesktop.with { desk in
      let caller = try await desk.connect()
      let broker = try await caller.owner(of: "org.usher.Handler")
      #expect(broker == nil)
      var options = OpenOptions()
      options.hops = .max
      options.fallback = "nobody:home"
      do {
        _ = try await caller.call(
          BrokerInterface.open, at: BrokerInterface.broker, ["nobody:1"], options.entries)
        Issue.record("it was opened")
      } catch let error as BusError {
        #expect(error.name == BrokerErrorName.loop.errorName, "\(error)")
      }
    }
  }

  /// One attached descriptor may be named any number of times, and the broker would have to open each of them.
  @Test func `an option with a file descriptor is refused before it is opened`() async throws {
    try await InstalledDesktop.with { desk in
      let bus = try await desk.connect()
      let descriptor = try #require(UnixFD(duplicating: 0))
      var options = OpenOptions()
      options.others = ["x-files": .array(of: "h", Array(repeating: .unixFD(descriptor), count: 2))]
      let error = await #expect(throws: BusError.self) {
        try await bus.call(BrokerInterface.open, at: BrokerInterface.broker, ["nobody:1"], options.entries)
      }
      #expect(error?.name == .invalidArgs, "\(String(describing: error))")
      await bus.close()
    }
  }

  @Test func `a cancellation with an ID of megabytes is refused before the ID is read`() async throws {
    try await InstalledDesktop.with { desk in
      let bus = try await desk.connect()
      let error = await #expect(throws: BusError.self) {
        try await bus.call(
          BrokerInterface.cancel, at: BrokerInterface.broker, String(repeating: "a", count: 1 << 20))
      }
      #expect(error?.name == .limitsExceeded, "\(String(describing: error))")
      try await bus.call(BrokerInterface.cancel, at: BrokerInterface.broker, "unknown")
      await bus.close()
    }
  }

  @Test func `a request's content is not stored after the reply`() async throws {
    try await InstalledDesktop.with { desk in
      let broker = try await desk.startBroker()
      var options = OpenOptions()
      options.session = ["BALLAST": String(repeating: "a", count: 1 << 20)]
      for _ in 1...10 {
        let calls = try await PipelinedOpener(desk).send((1...15).map { "nobody:\($0)" }, options)
        for call in calls { _ = try? await call.value }
      }
      // The requests have 150 MiB in total.
      #expect(try broker.memory("VmRSS") < 100_000)
      _ = try await broker.stop()
    }
  }

  @Test func `an application's message about a link is not logged`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await BusApplication.install(.fails, .application1, on: desk)
      let broker = try await desk.startBroker()
      let report = try await desk.open("mimic:1?token=secret")
      #expect(report.message.contains("the disk is on fire"))
      let log = try await broker.stop()
      #expect(log.contains("org.usher.Error.TargetFailed"), "\(log)")
      #expect(!log.contains("the disk is on fire") && !log.contains("secret"), "\(log)")
    }
  }

  @Test func `an application's error has at most four kilobytes in a receipt`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await BusApplication.install(.failsAtLength, .application1, on: desk)
      let report = try await desk.open("mimic:1")
      #expect(report.error == "TargetFailed" && report.message.contains("org.example.Mimic failed: "))
      #expect(report.message.utf8.count < 4_200)
    }
  }

  /// Opens URLs in a request with an ID, of which none may start an application; returns the error.
  private static func error(
    of urls: [String], _ id: String, from caller: BusConnection
  ) async throws -> BusError {
    var options = OpenOptions()
    options.requestID = id
    options.launch = false
    options.timeout = Command.defaultDeadline
    do {
      _ = try await caller.call(
        BrokerInterface.open, at: BrokerInterface.broker, urls, options.entries,
        timeout: options.timeout + .seconds(60))
    } catch {
      return error
    }
    throw TestSupportError("\(id) was opened")
  }

  @Test func `the broker's own errors about links of megabytes are kept in kilobytes`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await BusApplication.install(.hesitates, .application1, on: desk)
      let broker = try await desk.startBroker()
      let caller = try await desk.connect()
      let long = (1...2).map { "file:///\($0)" + String(repeating: "a", count: 400_000) }
      // The last link is stored, and the errors of the others with it.
      for number in 1...10 {
        let error = try await Self.error(of: long + ["mimic:\(number)"], "\(number)", from: caller)
        #expect(error.brokerError == .noHandler && error.message.hasSuffix("File name too long"), "\(error)")
        #expect(error.message.utf8.count < 4_200)
      }
      let store = "\(desk.desktop.runtimeDirectory)/usher/pending.sqlite"
      for path in [store, store + "-wal"] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let size = try #require(attributes[.size] as? Int)
        #expect(size < 2 << 20, "\(path): \(size)")
      }
      let again = try await Self.error(of: long + ["mimic:1"], "1", from: caller)
      #expect(again.brokerError == .noHandler)
      #expect(try Receipt(again.details).deliveries.count == 3)
      _ = try await broker.stop()
    }
  }

  @Test func `the links of a question without an answer are not kept`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      try desk.desktop.installDesktopEntry("org.example.Play", exec: "true %u", schemes: ["play"])
      try desk.desktop.setDefaults([
        "play": ["org.usher.Handler", "org.example.Play"], "mimic": ["org.usher.Handler", application.id],
      ])
      try desk.desktop.installRoutes(
        "mine", "format = 1\nowner = \"user\"\n[route.ask]\nmatch = \"play:{x...}\"\nask = true\n")
      let broker = try await desk.startBroker()
      let caller = try await desk.connect()
      let url = "play:1?token=S3CR3T"
      let first = try await Self.error(of: [url, "mimic:1"], "1", from: caller)
      let asked = try #require(try Receipt(first.details).deliveries.first)
      #expect(asked.urls == [url] && asked.choices != nil, "\(first)")
      let again = try await Self.error(of: [url, "mimic:1"], "1", from: caller)
      let kept = try #require(try Receipt(again.details).deliveries.first)
      #expect(again.name == first.name && again.message == first.message)
      #expect(kept.choices == asked.choices && kept.urls == nil && !"\(again)".contains("S3CR3T"), "\(again)")
      let found = try await desk.run(
        "grep", ["-rlaF", "-D", "skip", "S3CR3T", "\(desk.desktop.runtimeDirectory)/usher"])
      #expect(found.status == 1 && found.output == "", "\(found)")
      _ = try await broker.stop()
    }
  }

  /// Callers of the standard interface send any token, even an empty one; an invalid token must not prevent the delivery.
  @Test(arguments: ["", "a\u{1}b"])
  func `an invalid activation token does not prevent the delivery`(token: String) async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      try await desk.call(
        InstalledDesktop.handler, "Open", "asa{sv}", "1", "play:1", "1", "activation-token", "s", token
      ).orThrow()
      #expect(try await target.next().urls == ["play:1"])
    }
  }

  @Test func `Explain refuses the options that Open refuses`() async throws {
    try await InstalledDesktop.with { desk in
      let result = try await desk.call(
        InstalledDesktop.broker, "Explain", "sa{sv}", "nobody:1", "1", "target", "s", "no/ID")
      #expect(result.errorOutput.contains("no/ID"), "\(result)")
    }
  }

  @Test func `a broker removes the envelopes that an earlier one left`() async throws {
    try await InstalledDesktop.with { desk in
      let directory = "\(try #require(desk.desktop.environment["XDG_RUNTIME_DIR"]))/usher"
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let file = "\(directory)/left-1.json"
      try Data("{}\n".utf8).write(to: URL(fileURLWithPath: file))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -4_000)], ofItemAtPath: file)
      try await desk.call(InstalledDesktop.broker, "Status").orThrow()
      #expect(!FileManager.default.fileExists(atPath: file))
    }
  }
}
