// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Dispatch
import Foundation
import Freedesktop
import Logging
import Synchronization
import Systemd
import TestSupport
import Testing

@testable import BrokerService

@Suite struct `A home directory that does not respond` {
  /// The files of this machine, whose reads block while they are silent.
  private final class SilentFiles: FileReading {
    /// The paths that were read.
    struct Reads {
      var paths: Set<String> = []
      /// Those that were read on the thread of the broker's event loop.
      var onLoop: Set<String> = []
    }

    private let isSilent = Mutex(false)
    private let reads = Mutex(Reads())
    private let gate = DispatchSemaphore(value: 0)
    let asked: AsyncStream<String>
    private let tell: AsyncStream<String>.Continuation

    init() { (asked, tell) = AsyncStream<String>.makeStream() }

    /// The reads so far.
    var readsSoFar: Reads { reads.withLock { $0 } }

    func fallSilent() { isSilent.withLock { $0 = true } }

    func answer() {
      isSilent.withLock { $0 = false }
      gate.signal()
    }

    private func look(_ path: String) {
      let isOnLoop = EventLoop.shared.isCurrent
      reads.withLock { reads in
        reads.paths.insert(path)
        if isOnLoop { reads.onLoop.insert(path) }
      }
      guard isSilent.withLock({ $0 }) else { return }
      tell.yield(path)
      // Each reader lets the next one pass.
      gate.wait()
      gate.signal()
    }

    func read(_ path: String) -> FileOutcome {
      look(path)
      return LocalFiles().read(path)
    }
    func list(_ directory: String) -> DirectoryOutcome {
      look(directory)
      return LocalFiles().list(directory)
    }
    func isExecutable(_ path: String) -> Bool {
      look(path)
      return LocalFiles().isExecutable(path)
    }
  }

  /// Runs `body` with a broker in this process that reads `files` and is not started, and a program that opens links.
  private static func withBroker(
    reading files: SilentFiles, within timeout: Duration = BrokerLimits.silentFile,
    limits: BrokerLimits = BrokerLimits(),
    _ body: (ThrowAwayDesktop, BrokerDaemon, Recorder) async throws -> Void
  ) async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let player = try Recorder("player", in: desktop)
      try desktop.installDesktopEntry("player", exec: "\(player.execWord) %u")
      try desktop.installMimeApps("[Default Applications]\nx-scheme-handler/play=player.desktop\n")
      let daemon = await BrokerDaemon(
        on: try await BusConnection.open(.address(bus.address)), environment: desktop.environment,
        limits: limits, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, timeout: timeout,
        reading: files, lookingBy: { LocalFiles().type(ofFileAt: $0) })
      try await body(desktop, daemon, player)
      await daemon.bus.close()
    }
  }

  /// Opens a link, and returns the error.
  private static func open(
    _ url: String, from origin: String? = nil, waiting timeout: Duration = Command.defaultDeadline,
    on caller: BusConnection
  ) async -> BusError? {
    var options = OpenOptions()
    (options.origin, options.timeout) = (origin, timeout)
    do {
      _ = try await caller.call(
        BrokerInterface.open, at: BrokerInterface.broker, [url], options.entries,
        timeout: Command.defaultDeadline + .seconds(60))
      return nil
    } catch { return error }
  }

  @Test func `does not delay the start of the broker`() async throws {
    let files = SilentFiles()
    try await Self.withBroker(reading: files) { desktop, daemon, player in
      files.fallSilent()
      let isStarted = try await withDeadline(Command.defaultDeadline, "the start") {
        try await daemon.start()
      }
      #expect(isStarted)
      _ = await files.asked.first { _ in true }
      files.answer()
      try await Command.run(BuiltProducts.usher, ["open", "play:1"], environment: desktop.environment)
        .orThrow()
      #expect(try await player.nextStart().arguments == ["play:1"])
    }
  }

  @Test func `leaves the stored requests of a stopping broker to the next one`() async throws {
    for isStopped in [false, true] {
      let files = SilentFiles()
      try await Self.withBroker(reading: files, within: Command.defaultDeadline) { desktop, daemon, _ in
        files.fallSilent()
        let isStarted = try await daemon.start()
        #expect(isStarted)
        _ = await files.asked.first { _ in true }
        if isStopped { await daemon.stop() }
        files.answer()
        await daemon.recovering?.value
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(desktop.runtimeDirectory)/usher")
        #expect(names.contains { $0.hasPrefix("pending") } != isStopped)
      }
    }
  }

  /// The event loop read the files of the portal's backends, searched for zenity, and read the entry of the application for a launcher.
  @Test func `does not stop the event loop, which reads none of its files`() async throws {
    let files = SilentFiles()
    try await Self.withBroker(reading: files) { desktop, daemon, player in
      try desktop.installScript("zenity", "#!/bin/sh\nexit $ZENITY_OK\n")
      #expect(try await daemon.start())
      let caller = try await BusConnection.open(.address(desktop.busAddress))
      #expect(await Self.open("play:1", from: "https://shop.example", on: caller) == nil)
      await caller.close()
      #expect(try await player.nextStart().arguments == ["play:1"])
      try await Command.run(
        BuiltProducts.usher, ["open", "play:2"],
        environment: desktop.environment.merging(["DESKTOP_STARTUP_ID": "launcher_TIME1"]) { $1 }
      ).orThrow()
      #expect(try await player.nextStart().arguments == ["play:2"])
      let reads = files.readsSoFar
      #expect(reads.onLoop == [])
      // The files of a prompt were read elsewhere.
      #expect(
        reads.paths.isSuperset(of: [
          "\(desktop.dataHome)/xdg-desktop-portal/portals", "\(desktop.bin)/zenity",
        ]))
    }
  }

  @Test func `delays only links whose decision depends on it`() async throws {
    let files = SilentFiles()
    try await Self.withBroker(reading: files) { desktop, daemon, player in
      #expect(try await daemon.start())
      // A status waits for the requests of an earlier broker, of which there are none.
      try await Self.status(on: desktop)
      files.fallSilent()
      async let opened = Command.run(
        BuiltProducts.usher, ["open", "--timeout", timeLimit(60), "play:1"], environment: desktop.environment)
      _ = await files.asked.first { _ in true }
      try await Self.status(on: desktop)
      files.answer()
      #expect(try await opened.succeeded)
      #expect(try await player.nextStart().arguments == ["play:1"])
    }
  }

  /// The link waited as long as the disk, and with it all further calls of its caller.
  @Test func `lets a link whose decision depends on it fail when the request expires, and never opens it`()
    async throws
  {
    let files = SilentFiles()
    var limits = BrokerLimits()
    limits.lifetime = .seconds(1)
    try await Self.withBroker(reading: files, limits: limits) { desktop, daemon, player in
      #expect(try await daemon.start())
      let caller = try await BusConnection.open(.address(desktop.busAddress))
      files.fallSilent()
      async let first = Self.open("play:1", waiting: .seconds(1), on: caller)
      async let second = Self.open("play:2", waiting: .seconds(1), on: caller)
      for error in [await first, await second] { #expect(error?.brokerError == .timeout) }
      let error = await #expect(throws: BusError.self) {
        try await caller.call(
          BrokerInterface.canOpen, at: BrokerInterface.broker, "play:3", timeout: Command.defaultDeadline)
      }
      #expect(error?.brokerError == .timeout)
      files.answer()
      #expect(await Self.open("play:4", on: caller) == nil)
      #expect(try await player.nextStart().arguments == ["play:4"])
      await caller.close()
    }
  }

  @Test func `lets a link fail that cannot be decided after the answer to its prompt`() async throws {
    let files = SilentFiles()
    var limits = BrokerLimits()
    limits.lifetime = .seconds(5) * timeoutFactor
    try await Self.withBroker(reading: files, limits: limits) { desktop, daemon, player in
      let zenity = try Recorder("zenity", in: desktop, .held)
      #expect(try await daemon.start())
      let caller = try await BusConnection.open(.address(desktop.busAddress))
      async let opened = Self.open("play:1", from: "https://shop.example", on: caller)
      let shown = try await zenity.nextStart()
      files.fallSilent()
      shown.release(exit: try #require(shown.environment["ZENITY_OK"].flatMap { Int32($0) }))
      #expect(await opened?.brokerError == .timeout)
      files.answer()
      #expect(await Self.open("play:2", on: caller) == nil)
      #expect(try await player.nextStart().arguments == ["play:2"])
      await caller.close()
    }
  }

  private static func status(on desktop: ThrowAwayDesktop) async throws {
    let broker = "org.usher.Broker1"
    try await Command.run(
      "busctl", ["--user", "call", broker, "/org/usher/Broker1", broker, "Status"],
      environment: desktop.environment
    ).orThrow()
  }
}
