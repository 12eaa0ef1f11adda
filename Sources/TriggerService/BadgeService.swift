// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Logging
import State
import Systemd
import Triggers

/// The numbers on the icons of applications, for docks that show them (`com.canonical.Unity.LauncherEntry`).
@BrokerActor
final class BadgeService {
  private static let update = BusSignal<Arguments<String, [String: Variant]>>(
    "Update", of: "com.canonical.Unity.LauncherEntry", carries: ["app_uri", "properties"])
  private static let docks: BusName = "com.canonical.Unity"

  private let bus: BusConnection
  private let facts: ApplicationFacts
  private let log: Logger

  init(on bus: BusConnection, facts: ApplicationFacts, log: Logger) {
    self.bus = bus
    self.facts = facts
    self.log = log
  }

  /// Sends all badges now, and again whenever a dock starts.
  func start() async throws(BusError) {
    let owners = try await bus.owners(of: Self.docks)
    bus.loop.start { for await owner in owners where owner != nil { await self.sendAll() } }
    await sendAll()
  }

  /// Sets the badge of an application.
  func set(_ badge: UInt32, of application: String) async throws(BusError) {
    try facts.update(application) { $0.badge = badge }
    await send(badge, of: application)
  }

  private func sendAll() async {
    for (application, badge) in facts.badges.sorted(by: { $0.key < $1.key }) {
      await send(badge, of: application)
    }
  }

  func send(_ badge: UInt32, of application: String) async {
    do throws(BusError) {
      try await bus.emit(
        Self.update, from: Self.path(of: application), "application://\(application).desktop",
        ["count": .int64(Int64(badge)), "count-visible": .boolean(badge > 0)])
    } catch {
      log.warning("the badge of \(application) cannot be sent: \(error.message)")
    }
  }

  /// Returns a path that differs for each application, because some docks tell launcher entries apart by it.
  private static func path(of application: String) -> ObjectPath {
    let digits = application.utf8.map { byte in
      byte.isASCIIAlphanumeric ? String(UnicodeScalar(byte)) : "_\(byte)"
    }
    return ObjectPath("/org/usher/launcherentry/" + digits.joined()) ?? "/org/usher/launcherentry"
  }
}
