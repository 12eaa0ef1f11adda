// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import State
import Triggers

/// The facts of applications: their categories, badges, and what they use.
@BrokerActor
final class ApplicationFacts {
  private let file: TriggerFile
  private var facts: [String: TriggerStore.Application] = [:]

  init(in file: TriggerFile) { self.file = file }

  /// Reads what is stored.
  func load() throws(BusError) {
    facts = try file.use { store throws(StateError) in try store.applications() }
  }

  /// The badges that are not 0.
  var badges: [String: UInt32] { facts.compactMapValues { $0.badge == 0 ? nil : $0.badge } }

  /// The IDs of the applications that were missing at the last check.
  var missingApplications: [String] { facts.filter { $0.value.missingSince != nil }.map(\.key) }

  subscript(application: String) -> TriggerStore.Application { facts[application] ?? .init() }

  /// Changes the facts of an application.
  func update(
    _ application: String, _ change: (inout TriggerStore.Application) -> Void
  ) throws(BusError) {
    var changed = self[application]
    change(&changed)
    guard changed != self[application] else { return }
    let new = changed
    try file.use { store throws(StateError) in try store.set(new, of: application) }
    facts[application] = new == .init() ? nil : new
  }

  /// Forgets an application, after everything of it was removed from the file.
  func forget(_ application: String) { facts[application] = nil }

  /// Returns the categories of an application.
  func categories(of application: String) -> [NotificationCategory] {
    guard let text = self[application].categories, let list = try? PropertyList(json: text).array else {
      return []
    }
    return list.compactMap { try? NotificationCategory($0) }
  }

  /// Returns whether an application uses `option`: alert, sound or badge.
  ///
  /// An application that has not requested anything is used by the user, who decides by each notification.
  func uses(_ option: String, _ application: String) -> Bool {
    guard let options = self[application].options else { return true }
    return options.split(separator: " ").contains { $0 == option }
  }
}
