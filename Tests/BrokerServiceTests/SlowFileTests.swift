// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Dispatch
import Foundation
import Freedesktop
import Logging
import Systemd
import TestSupport
import Testing

@testable import BrokerService

@Suite struct `A file system that hangs` {
  /// Inspections that block until the test releases them, like those of files on a failed server.
  private final class Hanging: Sendable {
    private let ended = DispatchSemaphore(value: 0)
    let asked: AsyncStream<String>
    private let tell: AsyncStream<String>.Continuation

    init() { (asked, tell) = AsyncStream<String>.makeStream() }

    func look(_ path: [UInt8]) -> FileTypeOutcome {
      tell.yield(String(decoding: path, as: UTF8.self))
      guard path.starts(with: "/dead/".utf8) else { return LocalFiles().type(ofFileAt: path) }
      ended.wait()
      return .missing
    }

    func letGo(_ count: Int) { for _ in 0..<count { ended.signal() } }
  }

  @Test func `Probes run concurrently, up to a limit`() async {
    let hanging = Hanging()
    let looks = FileTypeProbe(on: .shared, timeout: .milliseconds(300)) { hanging.look($0) }
    let paths = (0..<20).map { Array("/dead/\($0)".utf8) }
    let types = await looks.types(of: paths)
    #expect(paths.allSatisfy { types[$0] == .silent })
    #expect(await looks.types(of: [Array("/".utf8)]) == [Array("/".utf8): .silent])
    hanging.letGo(20)
    var asked = 0
    for await _ in hanging.asked {
      asked += 1
      if asked == 16 { break }
    }
    // The released inspections free their capacity.
    while await looks.types(of: [Array("/".utf8)]) != [Array("/".utf8): .type(.directory)] {}
  }

  @Test func `No other request waits for it, and the types of its files are derived from their names`()
    async throws
  {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let (reader, player) = (try Recorder("reader", in: desktop), try Recorder("player", in: desktop))
      try desktop.installDesktopEntry("reader", exec: "\(reader.execWord) %u")
      try desktop.installDesktopEntry("player", exec: "\(player.execWord) %u")
      try desktop.installMimeApps(
        "[Default Applications]\ntext/html=reader.desktop\nx-scheme-handler/play=player.desktop\n")
      let hanging = Hanging()
      let daemon = await BrokerDaemon(
        on: try await BusConnection.open(.address(bus.address)), environment: desktop.environment,
        log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, timeout: .seconds(3)
      ) { hanging.look($0) }
      #expect(try await daemon.start())
      // The first request blocks; the later one is opened while the file of the first is inspected.
      let first = Task {
        try await Command.run(
          BuiltProducts.usher, ["open", "file:///dead/a.html"], environment: desktop.environment)
      }
      #expect(await hanging.asked.first { _ in true } == "/dead/a.html")
      try await Command.run(BuiltProducts.usher, ["open", "play:1"], environment: desktop.environment)
        .orThrow()
      #expect(try await player.nextStart().arguments == ["play:1"])
      #expect(try await first.value.succeeded)
      #expect(try await reader.nextStart().arguments == ["file:///dead/a.html"])
      let reported = try await Command.run(
        BuiltProducts.usher, ["explain", "--skip-comparison", "file:///dead/a.html"],
        environment: desktop.environment)
      #expect(reported.output.contains("the type is derived from the file's name"), "\(reported)")
      #expect(
        reported.output.contains("reader opens it") && !reported.output.contains("decided by this command"),
        "\(reported)"
      )
      hanging.letGo(2)
      await daemon.bus.close()
    }
  }

  @Test func `One caller's files use at most its share of the undecided URLs`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let player = try Recorder("player", in: desktop)
      try desktop.installDesktopEntry("player", exec: "\(player.execWord) %u")
      try desktop.installMimeApps("[Default Applications]\nx-scheme-handler/play=player.desktop\n")
      let hanging = Hanging()
      var limits = BrokerLimits()
      limits.undecided = 4
      let daemon = await BrokerDaemon(
        on: try await BusConnection.open(.address(bus.address)), environment: desktop.environment,
        limits: limits, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        timeout: .seconds(3_600)
      ) { hanging.look($0) }
      #expect(try await daemon.start())
      func open(_ urls: [String]) async -> BrokerErrorName? {
        do {
          let caller = try await BusConnection.open(.address(bus.address))
          defer { Task { await caller.close() } }
          var options = OpenOptions()
          options.timeout = Command.defaultDeadline
          _ = try await caller.call(
            BrokerInterface.open, at: BrokerInterface.broker, urls, options.entries,
            timeout: Command.defaultDeadline)
          return nil
        } catch { return error.brokerError }
      }
      async let first = open(["file:///dead/a", "file:///dead/b"])
      for _ in 1...2 { #expect(await hanging.asked.first { _ in true }?.hasPrefix("/dead/") == true) }
      // Further connections of a program belong to the same caller.
      #expect(await open(["play:1"]) == .tooMany)
      try await Command.run(BuiltProducts.usher, ["open", "play:2"], environment: desktop.environment)
        .orThrow()
      #expect(try await player.nextStart().arguments == ["play:2"])
      hanging.letGo(2)
      #expect(await first == .noHandler)
      #expect(await open(["play:3"]) == nil)
      #expect(try await player.nextStart().arguments == ["play:3"])
      await daemon.bus.close()
    }
  }
}
