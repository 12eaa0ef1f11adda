// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import Logging
import Systemd

/// The user's current answers about the permissions that something stored needs.
///
/// The broker reports each change while there is a need. It is asked again when it has started, because an earlier broker may have exited
/// between a change and its report.
@BrokerActor
final class PermissionWatch {
  /// The need of an application for a permission.
  struct Need: Hashable, Sendable {
    let permission: Permission
    let application: String
    /// A Boolean value that is `true` if the user created what needs the permission, and not the application.
    let isOfUser: Bool

    /// The need of the application for what it has created itself.
    fileprivate var ofApplication: Need {
      Need(permission: permission, application: application, isOfUser: false)
    }
  }

  /// The answer to a need.
  private enum Answer: Hashable {
    case permitted
    /// The reason, with the command that allows it.
    case refused(String)
  }

  private let permissions: [Permission: ApplicationPermission]
  private let bus: BusConnection
  private let log: Logger
  private var needs: Set<Need> = []
  private var answers: [Need: Answer] = [:]
  private var tasks: [Task<Void, Never>] = []
  /// The last question to the broker, after whose answer the next one is asked, so that the last answer is the current one.
  private var question: Task<Void, Never>?
  /// Called after an answer has changed.
  var changed: () -> Void = {}

  init(_ permissions: [Permission: ApplicationPermission], on bus: BusConnection, log: Logger) {
    self.permissions = permissions
    self.bus = bus
    self.log = log
  }

  /// Returns whether the user allows something; `false` before the first answer.
  func isPermitted(_ need: Need) -> Bool { answers[need] == .permitted }

  /// Returns the reason why the user does not allow something; `nil` if the user allows it, and before the first answer.
  func refusal(of need: Need) -> String? {
    if case .refused(let reason)? = answers[need] { reason } else { nil }
  }

  /// Follows the answers to these needs, and to no others, from now on.
  func follow(_ new: Set<Need>) {
    let added = new.subtracting(needs)
    for need in added where need.isOfUser && isPermitted(need.ofApplication) {
      // What the application may do needs no other answer for the user, until the broker gives it.
      answers[need] = .permitted
    }
    answers = answers.filter { new.contains($0.key) }
    needs = new
    guard !new.isEmpty else {
      for task in tasks { task.cancel() }
      return tasks = []
    }
    if tasks.isEmpty {
      tasks = [bus.loop.start { await self.listen() }]
    } else if !added.isEmpty {
      bus.loop.start { await self.check(added) }
    }
  }

  /// Asks the broker about needs.
  func check(_ asked: Set<Need>) async {
    let next = bus.loop.start { [question] in
      await question?.value
      await self.ask(asked)
    }
    question = next
    await next.value
  }

  private func listen() async {
    // Without a bus the daemon exits.
    guard
      let changes = try? await bus.signals(
        BrokerInterface.permissionsChanged, from: BrokerInterface.busName, at: BrokerInterface.path),
      let owners = try? await bus.owners(of: BrokerInterface.busName), !Task.isCancelled
    else { return }
    tasks += [
      bus.loop.start { for await _ in changes { await self.check(self.needs) } },
      bus.loop.start {
        var isFirst = true
        for await owner in owners {
          // The first question starts a broker; its exit later does not.
          guard isFirst || owner != nil else { continue }
          isFirst = false
          await self.check(self.needs)
        }
      },
    ]
  }

  private func ask(_ asked: Set<Need>) async {
    var hasChanged = false
    for need in asked where needs.contains(need) {
      let reason = await permissions[need.permission]?.refusal(
        of: need.application, isOfUser: need.isOfUser)
      guard needs.contains(need) else { continue }
      let answer = reason.map(Answer.refused) ?? .permitted
      guard answers.updateValue(answer, forKey: need) != answer else { continue }
      hasChanged = true
      guard reason != nil else { continue }
      log.notice(
        "what is stored for \(need.application) waits, because the application has no permission (\(need.permission.rawValue))"
      )
    }
    if hasChanged { changed() }
  }
}
