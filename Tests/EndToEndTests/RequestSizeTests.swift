// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// Size limits of one request, through every interface.
@Suite struct `A request that is too large` {
  private static func urls(_ count: Int) -> [String] { (0..<count).map { "unhandled\($0):1" } }

  private static func error(
    _ desk: InstalledDesktop, _ urls: [String], options: OpenOptions = OpenOptions()
  ) async throws -> BusError? {
    let bus = try await desk.connect()
    defer { Task { await bus.close() } }
    do {
      _ = try await bus.call(BrokerInterface.open, at: BrokerInterface.broker, urls, options.entries)
      return nil
    } catch {
      return error
    }
  }

  @Test func `is TooMany on the bus, and no part of it is decided or recorded`() async throws {
    try await InstalledDesktop.with { desk in
      let most = RequestSize.maximumURLs
      let large = try await Self.error(desk, Self.urls(most + 1))
      #expect(large?.brokerError == .tooMany)
      #expect(large?.message.contains("at most \(most) URLs") == true, "\(String(describing: large))")
      let long = try await Self.error(
        desk, (0..<5).map { "unhandled\($0):" + String(repeating: "a", count: 1_000_000) })
      #expect(long?.brokerError == .tooMany)
      let handler = RemoteObject(ApplicationInterface.handlerBusName, ApplicationInterface.handlerPath)
      let bus = try await desk.connect()
      let standard = await #expect(throws: BusError.self) {
        try await bus.call(ApplicationInterface.open, at: handler, Self.urls(most + 1), [:])
      }
      #expect(standard?.brokerError == .tooMany)
      await bus.close()
      #expect(try await desk.usher("history").output == "")
    }
  }

  @Test func `because of its unknown options is InvalidRequest`() async throws {
    try await InstalledDesktop.with { desk in
      var options = OpenOptions()
      options.others = ["x-other": .string(String(repeating: "x", count: 65_536))]
      let error = try await Self.error(desk, ["unhandled:1"], options: options)
      #expect(error?.brokerError == .invalidRequest)
      #expect(error?.message.contains("“x-other”") == true, "\(String(describing: error))")
      #expect(try await desk.usher("history").output == "")
    }
  }

  @Test func `because of the number of values in its options is LimitsExceeded`() async throws {
    try await InstalledDesktop.with { desk in
      var options = OpenOptions()
      options.others = ["x-other": .array(of: "b", Array(repeating: true, count: 70_000))]
      let error = try await Self.error(desk, ["unhandled:1"], options: options)
      #expect(error?.name == .limitsExceeded, "\(String(describing: error))")
      #expect(try await desk.usher("history").output == "")
    }
  }

  @Test func `is opened up to the limit`() async throws {
    try await InstalledDesktop.with { desk in
      let most = RequestSize.maximumURLs
      #expect(try await Self.error(desk, Self.urls(most))?.brokerError == .noHandler)
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      let urls = (1...most).map(target.url)
      #expect(try await Self.error(desk, urls) == nil)
      var arrived: [String] = []
      while arrived.count < most { arrived += try await target.nextURLs() }
      #expect(arrived == urls)
    }
  }

  @Test func `is logged with twenty of its parts`() async throws {
    try await InstalledDesktop.with { desk in
      let broker = try await desk.startBroker()
      #expect(try await Self.error(desk, Self.urls(100))?.brokerError == .noHandler)
      let log = try await broker.stop()
      #expect(log.matches(of: /unhandled\d+:1 rejected/).count == 20, "\(log)")
      #expect(log.contains("and 80 more parts"), "\(log)")
    }
  }

  @Test(arguments: [true, false])
  func `is exit code 8 of the command, and starts no broker`(hasBus: Bool) async throws {
    try await InstalledDesktop.with { desk in
      let environment = hasBus ? [:] : ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]
      let arguments = ["open", "--json"] + Self.urls(RequestSize.maximumURLs + 1)
      let report = try OpenReport(try await desk.run("usher", arguments, adding: environment))
      #expect(report.status == 8 && report.error == "TooMany", "\(report)")
      #expect(report.message.contains("several requests"), "\(report)")
      #expect(desk.processes(of: "\(desk.desktop.bin)/usherd").isEmpty)
    }
  }
}
