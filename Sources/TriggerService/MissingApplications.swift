// SPDX-License-Identifier: Apache-2.0
import BrokerService
import Freedesktop
import Logging
import State
import Triggers

/// The applications that are not installed; it removes everything of one that has been missing for seven days.
///
/// The times at which they were first missing are stored, in ``ApplicationFacts``.
@BrokerActor
final class MissingApplications {
  private let file: TriggerFile
  private let clock: TriggerClock
  private let facts: ApplicationFacts
  private let identification: SourceIdentification
  private let log: Logger
  /// The times since boot at which this daemon found that applications have been missing for seven days.
  private var confirmedSince: [String: Int64] = [:]
  /// Returns the IDs of the applications of which something is stored.
  var applications: () -> Set<String> = { [] }
  /// Called for an application that was uninstalled, after it was removed from the file.
  var uninstalled: (String) -> Void = { _ in }

  init(
    file: TriggerFile, clock: TriggerClock, facts: ApplicationFacts, identification: SourceIdentification,
    log: Logger
  ) {
    self.file = file
    self.clock = clock
    self.facts = facts
    self.identification = identification
    self.log = log
  }

  /// The time for which an application may be missing before everything of it is removed, in milliseconds.
  ///
  /// An update may remove and reinstall an application, and a disk may be mounted late.
  private static let missingTime: Int64 = 7 * 86_400_000
  /// The time after which the daemon checks again whether a missing application is installed, in milliseconds.
  private static let checkInterval: Int64 = 3_600_000
  /// The time for which this daemon must have missed an application before everything of it is removed, in milliseconds.
  ///
  /// The application may have been there in the seven days while no daemon ran, or nothing was due.
  private static let confirmation: Int64 = 600_000

  /// A Boolean value that is `true` if no removal of an application is to be confirmed.
  ///
  /// Only a run of the daemon that lasts can confirm that an application is missing.
  var isIdle: Bool { confirmedSince.isEmpty }

  /// Returns those of the applications that are not installed.
  func missing(among applications: Set<String>) async -> Set<String> {
    var missing: Set<String> = []
    for application in applications {
      guard let id = ApplicationID(rawValue: application), !(await identification.isInstalled(id)) else {
        continue
      }
      missing.insert(application)
    }
    return missing
  }

  /// Records which of the applications are missing now, and removes everything of those that were uninstalled.
  ///
  /// - Returns: The time of the next check; `nil` if none is missing.
  func record(missing: Set<String>, among applications: Set<String>) -> WallTime? {
    let now = clock.now
    confirmedSince = confirmedSince.filter { missing.contains($0.key) }
    for application in applications.subtracting(missing) {
      try? facts.update(application) { $0.missingSince = nil }
    }
    for application in missing {
      // A time in the future is of a clock that was set back.
      let since = min(facts[application].missingSince ?? now.milliseconds, now.milliseconds)
      try? facts.update(application) { $0.missingSince = since }
      guard now.milliseconds - since >= Self.missingTime else { continue }
      let first = confirmedSince[application] ?? clock.elapsed
      confirmedSince[application] = first
      if clock.elapsed - first >= Self.confirmation { uninstall(application) }
    }
    guard confirmedSince.isEmpty else { return now + Self.confirmation }
    return missing.isEmpty ? nil : now + Self.checkInterval
  }

  /// Moves the times since which applications are missing after the clock was set.
  func move(byClockChange milliseconds: Int64) {
    for application in facts.missingApplications {
      try? facts.update(application) { facts in
        facts.missingSince = facts.missingSince.map { $0 + milliseconds }
      }
    }
  }

  private func uninstall(_ application: String) {
    confirmedSince[application] = nil
    guard file.attempt({ store throws(StateError) in try store.remove(application: application) }) else {
      return
    }
    log.notice("\(application) has not been installed for seven days; its notifications are removed")
    facts.forget(application)
    uninstalled(application)
  }
}
