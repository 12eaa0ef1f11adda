// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Systemd

/// Notifications that a link was not opened, for users whose desktop got the receipt before the delivery failed.
@BrokerActor
final class FailureNotifier {
  private let bus: BusConnection

  init(on bus: BusConnection) { self.bus = bus }

  /// Shows the user that a delivery of links failed; does nothing if it did not, or if the user knows it.
  ///
  /// - Parameters:
  ///   - links: The URLs, redacted for display.
  ///   - evenIfUnknown: Whether the start of a program was interrupted, which makes an unknown outcome a failure.
  func report(_ delivery: Delivery, of links: [String], evenIfUnknown: Bool) {
    guard Self.isNews(delivery, evenIfUnknown), !links.isEmpty else { return }
    let notice = FailureNotice(
      links: links, reason: delivery.message ?? "", mayBeOpened: delivery.outcome == .unknown)
    BrokerActor.loop.start { [bus] in
      // Without a notification server, the history has the failure.
      guard
        let capabilities = try? await bus.call(
          NotificationsInterface.getCapabilities, at: NotificationsInterface.server,
          timeout: BrokerLimits.notificationServer)
      else { return }
      let (summary, body) = notice.text(for: capabilities)
      _ = try? await bus.call(
        NotificationsInterface.notify, at: NotificationsInterface.server, "Usher", 0, "dialog-error", summary,
        body, [], ["urgency": .byte(1)], -1, timeout: BrokerLimits.notificationServer)
    }
  }

  /// Returns whether a delivery failed without an answer of the user.
  ///
  /// An application that received the link and did not reply in time has probably opened it.
  private static func isNews(_ delivery: Delivery, _ evenIfUnknown: Bool) -> Bool {
    guard let error = delivery.error.flatMap(BrokerErrorName.init), error != .cancelled, !delivery.wasAsked
    else { return false }
    switch delivery.outcome {
    case .failed: return true
    case .unknown: return evenIfUnknown || error == .targetFailed || error == .launchFailed
    case .accepted, .delivered, .handled: return false
    }
  }
}
