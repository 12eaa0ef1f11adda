// SPDX-License-Identifier: Apache-2.0
import BrokerCore
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

    /// Ends the report of the inspections.
    func end() { tell.finish() }

    func letGo(_ count: Int) { for _ in 0..<count { ended.signal() } }
  }

  /// Starts a broker in this process that inspects files by `hanging`, each for `timeout` at most.
  private static func start(
    on bus: PrivateBus, of desktop: ThrowAwayDesktop, _ hanging: Hanging,
    limits: BrokerLimits = BrokerLimits(), timeout: Duration
  ) async throws -> BrokerDaemon {
    let daemon = await BrokerDaemon(
      on: try await BusConnection.open(.address(bus.address)), environment: desktop.environment,
      limits: limits, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, timeout: timeout
    ) { hanging.look($0) }
    #expect(try await daemon.start())
    return daemon
  }

  @Test func `One caller's probes run concurrently up to its share, and leave the others room`() async throws
  {
    let hanging = Hanging()
    let probe = FileTypeProbe(on: .shared, timeout: .milliseconds(300)) { hanging.look($0) }
    let (one, other) = (ChargedCaller("one"), ChargedCaller("other"))
    let (root, dead) = (Array("/".utf8), (0..<100).map { Array("/dead/\($0)".utf8) })
    let types = await probe.types(of: dead, for: one)
    #expect(dead.allSatisfy { types[$0] == .silent })
    #expect(await probe.types(of: [root], for: one) == [root: .silent])
    // The time limit is short, and the machine may be busy.
    try await withDeadline(Command.defaultDeadline, "a probe of the other caller") {
      while await probe.types(of: [root], for: other) != [root: .type(.directory)] {
        try Task.checkCancellation()
      }
    }
    let share = BrokerLimits.maximumBlockingCalls / 4
    var begun = 0
    for await path in hanging.asked where path.hasPrefix("/dead/") {
      begun += 1
      if begun == share { break }
    }
    // The released probes free their places, and those whose time is over do not begin.
    hanging.letGo(share)
    try await withDeadline(Command.defaultDeadline, "a probe of the first caller") {
      while await probe.types(of: [root], for: one) != [root: .type(.directory)] {
        try Task.checkCancellation()
      }
    }
    hanging.end()
    for await path in hanging.asked where path.hasPrefix("/dead/") { Issue.record("\(path) was probed") }
  }

  @Test func `Files beyond the limit wait for their turn, and each has the type of its content`() async throws
  {
    let directory = try TemporaryDirectory()
    for number in 0..<100 { try directory.makeDirectory("\(number).txt") }
    func paths(_ suffix: String) -> [[UInt8]] {
      (0..<100).map { Array("\(directory.path)/\($0)\(suffix)".utf8) }
    }
    let probe = FileTypeProbe(on: .shared, timeout: Command.defaultDeadline) {
      LocalFiles().type(ofFileAt: $0)
    }
    let types = await probe.types(of: paths(".txt") + paths(""), for: .unidentified)
    #expect(paths(".txt").allSatisfy { types[$0] == .type(.directory) })
    #expect(paths("").allSatisfy { types[$0] == .missing })
  }

  @Test func `No other request waits for it`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let player = try Recorder("player", in: desktop)
      try desktop.installDesktopEntry("player", exec: "\(player.execWord) %u")
      try desktop.installMimeApps("[Default Applications]\nx-scheme-handler/play=player.desktop\n")
      let hanging = Hanging()
      let daemon = try await Self.start(on: bus, of: desktop, hanging, timeout: .seconds(3_600))
      let first = Task {
        try await Command.run(
          BuiltProducts.usher, ["open", "--timeout", "3600", "file:///dead/a.html"],
          environment: desktop.environment)
      }
      #expect(await hanging.asked.first { _ in true } == "/dead/a.html")
      // The file of the first request is inspected until the test releases it.
      try await Command.run(BuiltProducts.usher, ["open", "play:1"], environment: desktop.environment)
        .orThrow()
      #expect(try await player.nextStart().arguments == ["play:1"])
      hanging.letGo(8)
      _ = try await first.value
      await daemon.bus.close()
    }
  }

  @Test func `The types of its files are derived from their names`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let reader = try Recorder("reader", in: desktop)
      try desktop.installDesktopEntry("reader", exec: "\(reader.execWord) %u")
      try desktop.installMimeApps("[Default Applications]\ntext/html=reader.desktop\n")
      let hanging = Hanging()
      let daemon = try await Self.start(on: bus, of: desktop, hanging, timeout: .seconds(1))
      try await Command.run(
        BuiltProducts.usher, ["open", "file:///dead/a.html"], environment: desktop.environment
      ).orThrow()
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
      let daemon = try await Self.start(
        on: bus, of: desktop, hanging, limits: limits, timeout: .seconds(3_600))
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
