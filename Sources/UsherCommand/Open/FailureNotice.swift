// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

extension FailureNotice {
  /// The advice for a failure whose reason is not known.
  static let findingTheCause = "Run “usher doctor” to find the cause."

  /// Shows the notification; does nothing without a bus or a notification server.
  ///
  /// The call waits at most two seconds for the server.
  func show() {
    let timeout = Duration.seconds(2)
    guard let bus = try? BlockingBusConnection(.user),
      let capabilities = try? bus.call(
        NotificationsInterface.getCapabilities, at: NotificationsInterface.server, timeout: timeout)
    else { return }
    let (summary, body) = text(for: capabilities)
    _ = try? bus.call(
      NotificationsInterface.notify, at: NotificationsInterface.server, "Usher", 0, "dialog-error", summary,
      body,
      [], ["urgency": .byte(1)], -1, timeout: timeout)
  }
}
