// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import Systemd

/// The events of a request while its answer is pending: the broker's signals, and ^C of the user.
final class RequestSession {
  /// A function that receives the application's progress.
  typealias Output = (_ application: String, _ progress: RequestProgress) -> Void

  /// An event after which the caller does not need the reply any more.
  struct Ending {
    /// The descriptor that is readable when the event may have occurred.
    let descriptor: Int32
    /// Reads the descriptor, and returns whether the event has occurred.
    let hasOccurred: () -> Bool
  }

  private let requestID: String
  private let report: Output?
  private let givenUp: (() -> Void)?
  private let ending: Ending?
  private var interruption: SignalDescriptor?
  private var hasReportedPrompt = false
  /// A Boolean value that is `true` if the outcome would be unknown if the broker exited now.
  private(set) var isUncertain = false
  /// A Boolean value that is `true` if the user has cancelled the request, or the caller does not need the reply any more.
  private(set) var isGivenUp = false

  /// Creates a session for a request.
  ///
  /// - Parameters:
  ///   - canBeGivenUp: `true` if ^C cancels the request, instead of only terminating the command.
  ///   - ending: the event that ends the call without its reply; only if the request cannot be cancelled.
  ///   - report: receives the application's progress; `nil` if the caller does not need it.
  ///   - givenUp: called when ^C cancels the request.
  init(
    about requestID: String, canBeGivenUp: Bool, until ending: Ending?,
    progress report: Output?, givenUp: (() -> Void)? = nil
  ) {
    self.givenUp = givenUp
    self.requestID = requestID
    self.ending = ending
    self.report = report
    interruption = canBeGivenUp ? SignalDescriptor([SIGINT]) : nil
  }

  /// Starts to observe the signals on a connection.
  func listen(_ bus: BlockingBusConnection) {
    bus.observe(BrokerInterface.progress) { [self] id, outcome, _ in
      if id == requestID, outcome == Outcome.unknown.rawValue { isUncertain = true }
    }
    bus.observe(BrokerInterface.prompting) { [self] id in
      guard id == requestID, !hasReportedPrompt else { return }
      hasReportedPrompt = true
      Console.warn("waiting for your choice in another window")
    }
    if let report {
      bus.observe(BrokerInterface.handling) { [self] id, application, entries in
        guard id == requestID, let progress = try? RequestProgress(entries) else { return }
        report(application, progress)
      }
    }
    if let ending {
      bus.watch(ending.descriptor) { [self, unowned bus] in
        guard ending.hasOccurred() else { return true }
        isGivenUp = true
        bus.abandonCall()
        return false
      }
    }
    guard let descriptor = interruption?.rawValue else { return }
    bus.watch(descriptor) { [self] in
      guard interruption?.take() != nil else { return true }
      giveUp(bus)
      return false
    }
  }

  /// Restores the default effect of ^C.
  func stopListening() { interruption = nil }

  /// Cancels the request, whose call then fails as cancelled.
  ///
  /// A second ^C, or a broker that does not answer, terminates the command with the default effect of the signal.
  private func giveUp(_ bus: BlockingBusConnection) {
    isGivenUp = true
    givenUp?()
    // From now on the signal has its default effect.
    interruption = nil
    do throws(BusError) {
      // The call of Open may be waiting for the start of the broker; this call is queued behind it.
      try bus.call(BrokerInterface.cancel, at: BrokerInterface.broker, requestID, timeout: .seconds(2))
    } catch {
      raise(SIGINT)
    }
  }
}
