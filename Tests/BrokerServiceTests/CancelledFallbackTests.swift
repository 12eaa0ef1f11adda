// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Dispatch
import Freedesktop
import Logging
import TestSupport
import Testing

@testable import BrokerService

/// A request whose caller cancels it while its fallback is decided.
@Suite struct `A fallback that is being decided` {
  @Test func `is not opened after its request was cancelled`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let editor = try Recorder("editor", in: desktop)
      try desktop.installDesktopEntry("editor", exec: "\(editor.execWord) %f")
      try desktop.installMimeApps("[Default Applications]\ntext/plain=editor.desktop\n")
      let files = try ["first.txt", "second.txt"].map { try desktop.write("text", to: $0) }
      // The type of the first file is determined after the cancellation.
      let gate = DispatchSemaphore(value: 0)
      let (probes, probed) = AsyncStream<Void>.makeStream()
      let daemon = await BrokerDaemon(
        on: try await BusConnection.open(.address(bus.address)), environment: desktop.environment,
        log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        timeout: .seconds(60) * timeoutFactor,
        lookingBy: { path in
          probed.yield()
          gate.wait()
          return LocalFiles().type(ofFileAt: path)
        })
      #expect(try await daemon.start())
      let caller = try await BusConnection.open(.address(bus.address))
      var options = OpenOptions()
      options.requestID = "one"
      options.fallback = "file://\(files[0])"
      let entries = options.entries
      let call = Task {
        try await caller.call(
          BrokerInterface.open, at: BrokerInterface.broker, ["missing:1"], entries,
          timeout: .seconds(60) * timeoutFactor)
      }
      _ = await probes.first { _ in true }
      try await caller.call(BrokerInterface.cancel, at: BrokerInterface.broker, "one")
      for _ in files { gate.signal() }
      await #expect(throws: BusError.self) { try await call.value }
      try await Command.run(
        BuiltProducts.usher, ["open", "file://\(files[1])"], environment: desktop.environment
      ).orThrow()
      #expect(try await editor.nextStart().arguments == [files[1]])
      await caller.close()
      await daemon.bus.close()
    }
  }
}
