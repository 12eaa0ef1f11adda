// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Synchronization
import TestSupport

/// A stand-in for a notification server, in the test's own process, whose user taps every notification once.
///
/// As dunst does, it replaces a notification with the tag of a new one, and closes a notification after the tap. No real server can
/// be tapped a thousand times in a minute.
final class TappingServer: Sendable {
  private struct State {
    var last: UInt32 = 0
    /// The tag and the title of each notification on the screen.
    var shown: [UInt32: (tag: String, title: String)] = [:]
    var calls = 0
    var taps = 0
    var doubled: [String] = []
    var tapped: Set<String> = []
    var random: SeededGenerator
  }

  private let bus: BusConnection
  private let state: Mutex<State>
  /// The number of notifications that were tapped, by title.
  let progress = TortureProgress()

  private init(_ bus: BusConnection, seed: UInt64) {
    self.bus = bus
    state = Mutex(State(random: SeededGenerator(seed: seed)))
  }

  static func start(on desk: InstalledDesktop, seed: UInt64) async throws -> TappingServer {
    let server = TappingServer(try await desk.connect(), seed: seed)
    try await server.bus.export(
      BusObject(
        NotificationsInterface.server.path,
        [
          .method(NotificationsInterface.getCapabilities) { _ async throws(BusError) in ["body", "actions"] },
          .method(NotificationsInterface.notify) {
            _, _, replaced, _, title, _, _, hints, _ async throws(BusError) in
            server.show(title, tag: hints["x-dunst-stack-tag"]?.string ?? "", replacing: replaced)
          },
          .method(NotificationsInterface.closeNotification) { _, number async throws(BusError) in
            server.remove(number)
          },
        ]))
    guard try await server.bus.requestName(NotificationsInterface.server.name) == .owned else {
      throw TestSupportError("another notification server runs")
    }
    return server
  }

  /// The numbers of calls of `Notify` and of taps.
  var figures: (calls: Int, taps: Int) { state.withLock { ($0.calls, $0.taps) } }

  /// The titles of the notifications that were on the screen twice at one time.
  var doubled: [String] { state.withLock(\.doubled) }

  private func remove(_ number: UInt32) { state.withLock { $0.shown[number] = nil } }

  private func show(_ title: String, tag: String, replacing replaced: UInt32) -> UInt32 {
    let (number, delay) = state.withLock { state in
      let earlier =
        state.shown[replaced] == nil ? state.shown.first { $0.value.tag == tag }?.key : replaced
      if earlier == nil { state.last += 1 }
      let number = earlier ?? state.last
      state.shown[number] = (tag, title)
      state.calls += 1
      if state.shown.values.count(where: { $0.title == title }) > 1 { state.doubled.append(title) }
      return (number, state.random.below(40))
    }
    Task {
      // The user's reaction, which is an input of this test.
      try? await Task.sleep(for: .milliseconds(delay))
      await tap(number, title)
    }
    return number
  }

  private func tap(_ number: UInt32, _ title: String) async {
    let (isShown, isFirst) = state.withLock { state in
      guard state.shown[number]?.title == title else { return (false, false) }
      state.shown[number] = nil
      state.taps += 1
      return (true, state.tapped.insert(title).inserted)
    }
    guard isShown else { return }
    let path = NotificationsInterface.server.path
    try? await bus.emit(NotificationsInterface.actionInvoked, from: path, number, "default")
    try? await bus.emit(NotificationsInterface.notificationClosed, from: path, number, 2)
    if isFirst { await progress.advance() }
  }
}
