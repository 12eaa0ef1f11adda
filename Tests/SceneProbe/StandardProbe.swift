// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import Scenes

/// An application with only `org.freedesktop.Application`, like most applications.
struct StandardProbe {
  let id: String
  let log: ProbeLog

  /// Opens `urls`, and the URLs that arrive over the bus while it owns its name.
  func run(_ urls: ArraySlice<String>) async throws {
    for url in urls { try? await Self.open(url, log) }
    guard let name = BusName(id), let path = ApplicationInterface.path(of: id) else {
      throw SceneProbe.Failure()
    }
    let bus = try await BusConnection.open(.user)
    let log = log
    try await bus.export(
      BusObject(
        path,
        [
          .method(ApplicationInterface.open) { _, urls, _ async throws(BusError) in
            for url in urls { try await Self.open(url, log) }
          },
          .method(ApplicationInterface.activate) { _, _ async throws(BusError) in },
        ]))
    guard try await bus.requestName(name) == .owned else { return }
    for await event in await bus.events() where event == .lost { return }
  }

  private static func open(_ url: String, _ log: ProbeLog) async throws(BusError) {
    log.append("begin - \(url)")
    switch SceneProbe.behaviour(url) {
    case .ok, .bounce: return
    case .refuse, .fail: throw BusError(.failed, "the probe fails")
    case .die, .dieAlways, .hang: kill(getpid(), SIGKILL)
    // Delayed until the reply is sent.
    case .quit: DispatchQueue.main.asyncAfter(deadline: .now() + 0.01) { exit(0) }
    }
  }
}
