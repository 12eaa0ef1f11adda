// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Logging
import State
import Systemd
import Triggers

/// The pushes that applications handle in the background: they are delivered one by one, and start the application.
///
/// A push is stored, and sent again until the application has received it, or cannot receive it. The number of starts is limited, because the
/// server of an application decides when it pushes.
@BrokerActor
final class BackgroundPushes {
  private let bus: BusConnection
  private let file: TriggerFile
  private let clock: TriggerClock
  private let log: Logger
  private let atStep: (@Sendable () -> Void)?
  private var queues: [String: [StoredPush]] = [:]
  private var active: Set<String> = []
  private var starts: [String: BackgroundStarts] = [:]
  /// Called after the last waiting push of an application was delivered.
  var finished: () -> Void = {}

  /// - Parameter atStep: Called immediately before and after each call of the broker.
  init(
    on bus: BusConnection, file: TriggerFile, clock: TriggerClock, log: Logger,
    atStep: (@Sendable () -> Void)?
  ) {
    self.bus = bus
    self.file = file
    self.clock = clock
    self.log = log
    self.atStep = atStep
  }

  /// A Boolean value that is `true` if no push waits.
  var isIdle: Bool { active.isEmpty && queues.isEmpty }

  /// Sends the pushes that an earlier daemon has stored.
  func load() throws(BusError) {
    let since = BackgroundStarts.horizon(at: clock.now).milliseconds
    starts = try file.use { store throws(StateError) in
      try store.forgetPushes(startedBefore: since)
      return try store.backgroundStarts(since: since)
    }
    .mapValues { BackgroundStarts($0.map(WallTime.init(milliseconds:))) }
    for push in try file.use({ store throws(StateError) in try store.waitingPushes() })
    // An earlier attempt to load may have ended after this.
    where !queues.values.joined().contains(where: { $0.id == push.id }) { send(push) }
  }

  /// Delivers a stored push after those before it.
  func send(_ push: StoredPush) {
    let application = push.application
    queues[application, default: []].append(push)
    // The first one may be on its way.
    while let queue = queues[application], queue.count > NotificationLimits.waitingPushes + 1 {
      log.notice("\(application) has too many push messages that wait; an earlier one is dropped")
      finish(queue[1], started: nil)
    }
    run(application)
  }

  /// Drops the pushes of an application that was removed.
  func forget(_ application: String) {
    drop(application)
    starts[application] = nil
  }

  /// Drops the pushes of an application that wait, after they were removed from the file; its starts are still counted.
  func drop(_ application: String) { queues[application] = nil }

  private func finish(_ push: StoredPush, started: Int64?) {
    file.attempt { store throws(StateError) in try store.finish(push: push.id, started: started) }
    queues[push.application]?.removeAll { $0.id == push.id }
    if queues[push.application]?.isEmpty == true { queues[push.application] = nil }
  }

  private func run(_ application: String) {
    guard active.insert(application).inserted else { return }
    bus.loop.start {
      var backoff = Backoff()
      var isLogged = false
      while let push = self.queues[application]?.first {
        let isRunning = await self.isRunning(application)
        // The registration may have ended meanwhile, which drops the messages that wait.
        guard self.queues[application]?.first?.id == push.id else { continue }
        let now = self.clock.now
        if !isRunning, let wait = self.starts[application]?.delay(at: now), wait > 0 {
          if !isLogged {
            self.log.notice(
              "a push message for \(application) waits, because \(application) was started \(NotificationLimits.backgroundStarts) times within an hour"
            )
          }
          isLogged = true
          // A running application gets it at once, so this looks again.
          try? await self.bus.loop.sleep(for: .milliseconds(min(wait, 5_000)))
          continue
        }
        let failure = await self.deliver(push)
        // The application may have been started also if it did not receive the push in time.
        let wasStarted = !isRunning && failure?.mayHaveStarted != false
        if wasStarted { self.starts[application, default: .init()].record(at: now) }
        if let failure, failure.isTransient {
          if failure.needsOtherID { self.renew(push) }
          try? await self.bus.loop.sleep(for: backoff.next())
          continue
        }
        isLogged = false
        backoff.reset()
        self.finish(push, started: wasStarted ? now.milliseconds : nil)
      }
      self.active.remove(application)
      self.finished()
    }
  }

  /// Gives a push that was not delivered another ID.
  private func renew(_ push: StoredPush) {
    let id = RequestID.random()
    guard file.attempt({ store throws(StateError) in try store.renew(push: push.id, as: id) }),
      let index = queues[push.application]?.firstIndex(where: { $0.id == push.id })
    else { return }
    queues[push.application]?[index].id = id
  }

  private func isRunning(_ application: String) async -> Bool {
    guard let name = BusName(application) else { return false }
    return await bus.hasOwner(name)
  }

  /// The time that an application has for a push.
  private static let time = Duration.seconds(NotificationLimits.backgroundTime) * TestFaults.waitingFactor

  /// Sends a push, and waits until the application has handled it; returns the reason if it has not.
  private func deliver(_ push: StoredPush) async -> OpenFailure? {
    guard let content = push.content, let payload = try? PropertyList(json: content) else { return .rejected }
    var options = OpenOptions()
    options.target = push.application
    options.reason = .remoteNotification
    options.requestID = "push-\(push.id)"
    options.payload = payload
    options.wait = .handled
    options.timeout = Self.time
    do throws(BusError) {
      atStep?()
      let receipt = try await bus.call(
        BrokerInterface.open, at: BrokerInterface.broker, [], options.entries,
        timeout: Self.time + .seconds(10))
      atStep?()
      report(try? Receipt(receipt), of: push.application)
      return nil
    } catch {
      let failure = OpenFailure(error)
      switch failure {
      case .unanswered: break
      case .limited, .notDelivered:
        log.notice(
          "\(push.application) could not receive a push message yet, which is sent again: \(error.name)")
      case .sent:
        log.notice(
          "\(push.application) has not handled a push message within \(NotificationLimits.backgroundTime) seconds"
        )
      case .rejected, .failed:
        // The message may be the application's own, which may quote what it received.
        log.error("\(push.application) did not receive a push message, or failed to handle it: \(error.name)")
      }
      return failure
    }
  }

  /// Logs how the application has handled a push.
  private func report(_ receipt: Receipt?, of application: String) {
    guard let delivery = receipt?.deliveries.first else { return }
    guard delivery.outcome == .handled else {
      let error = delivery.error.map { " (\($0))" } ?? ""
      return log.notice("\(application) has not handled a push message: \(delivery.outcome.rawValue)\(error)")
    }
    log.info(
      "\(application) has handled a push message",
      metadata: ["result": "\(delivery.value?["fetch-result"]?.string ?? "none")"])
  }
}
