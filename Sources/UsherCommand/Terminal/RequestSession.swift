import BusInterfaces
import DBus
import Glibc
import Systemd

/// What is said about a request while its answer is waited for: by the broker, and by the person at the terminal.
final class RequestSession {
  /// Told how far an application has come.
  typealias Output = (_ application: String, _ progress: RequestProgress) -> Void

  private let requestID: String
  private let tell: Output?
  private let tellGivingUp: (() -> Void)?
  private var interruption: SignalDescriptor?
  /// Whether nobody may know what becomes of it if the broker goes now.
  private(set) var isUncertain = false
  /// Whether the person has given it up.
  private(set) var isGivenUp = false

  /// - Parameters:
  ///   - canBeGivenUp: whether ^C withdraws the request, instead of ending the command alone.
  ///   - tellGivingUp: called when it does.
  init(
    about requestID: String, canBeGivenUp: Bool, _ tell: Output?, tellGivingUp: (() -> Void)? = nil
  ) {
    self.tellGivingUp = tellGivingUp
    self.requestID = requestID
    self.tell = tell
    interruption = canBeGivenUp ? SignalDescriptor([SIGINT]) : nil
  }

  /// Listens by this connection.
  func listen(_ bus: BlockingBusConnection) {
    bus.observe(BrokerInterface.progress) { [self] id, outcome, _ in
      if id == requestID, outcome == Outcome.unknown.rawValue { isUncertain = true }
    }
    if let tell {
      bus.observe(BrokerInterface.handling) { [self] id, application, entries in
        guard id == requestID, let progress = try? RequestProgress(entries) else { return }
        tell(application, progress)
      }
    }
    guard let descriptor = interruption?.rawValue else { return }
    bus.watch(descriptor) { [self] in
      guard interruption?.take() != nil else { return true }
      giveUp(bus)
      return false
    }
  }

  /// Leaves ^C to others from now on.
  func stopListening() { interruption = nil }

  /// Withdraws the request, whose call then ends as cancelled; a second ^C, or a broker that does not answer, ends the
  /// command as it would any other.
  private func giveUp(_ bus: BlockingBusConnection) {
    isGivenUp = true
    tellGivingUp?()
    // From now on the signal does what it does to any command.
    interruption = nil
    do throws(BusError) {
      // Its Open may be waiting for the broker to start; this waits behind it.
      try bus.call(BrokerInterface.cancel, at: BrokerInterface.broker, requestID, timeout: .seconds(2))
    } catch {
      raise(SIGINT)
    }
  }
}
