// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Scenes
import Synchronization
import TestSupport
import Testing

/// The registration of an application for remote notifications, on a bus that is lost and returns.
@Suite struct `A registration for remote notifications` {
  private static let success = "application(_:didRegisterForRemoteNotifications"

  private static func token(_ number: Int) -> RemoteNotificationToken {
    RemoteNotificationToken(
      endpoint: "https://push.example.org/\(number)", publicKey: [4, 1], authenticationSecret: [2])
  }

  @Test func `is repeated when the bus returns, and a token is reported if it is another one`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let stage = Stage(address: .address(desktop.busAddress))
      let calls = Log()
      let number = Mutex(1)
      let registrar = try await Registrar.start(on: stage) { key throws(SceneError) in
        calls.add(key ?? "none")
        return Self.token(number.withLock { $0 })
      }
      let play = try await Play.begin(.delegate, .direct, on: stage)
      let application = try await play.application
      application.registerForRemoteNotifications(vapid: "key")
      try await play.transcript.until(Self.success)
      #expect(try await calls.next() == "key")
      // The application may be back on the bus before the stand-in for the daemon is.
      await bus.kill()
      let second = try await PrivateBus.start(in: desktop)
      #expect(try await calls.next() == "key")
      number.withLock { $0 = 2 }
      await second.kill()
      let third = try await PrivateBus.start(in: desktop)
      #expect(try await calls.next() == "key")
      try await play.transcript.until(Self.success, times: 2)
      #expect(application.isRegisteredForRemoteNotifications)
      let lines = try await play.end()
      #expect(lines.count { $0.hasPrefix(Self.success) } == 2, "\(lines)")
      #expect(!lines.contains { $0.contains("didFailToRegister") }, "\(lines)")
      await registrar.bus.close()
      await third.stop()
    }
  }
}
