// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// A notification that a link was not opened, for a user who clicked it and sees no terminal.
struct FailureNotice {
  /// The longest wait for a notification server.
  private static let timeout = Duration.seconds(2)

  /// The URLs, redacted for display.
  let links: [String]
  /// The reason, as a sentence.
  let reason: String
  /// A Boolean value that is `false` if it is known that no application has the links.
  let mayBeOpened: Bool

  /// Shows the notification; does nothing without a bus or a notification server.
  func show() {
    guard let bus = try? BlockingBusConnection(.user),
      let capabilities = try? bus.call(
        NotificationsInterface.getCapabilities, at: NotificationsInterface.server, timeout: Self.timeout)
    else { return }
    let advice = mayBeOpened ? ["Run “usher doctor” to find the cause."] : []
    let text = (links + [reason] + advice).joined(separator: "\n")
    _ = try? bus.call(
      NotificationsInterface.notify, at: NotificationsInterface.server, "Usher", 0, "dialog-error",
      mayBeOpened ? "A link may not have been opened" : "A link was not opened",
      NotificationsInterface.body(text, takesMarkup: capabilities.contains("body-markup")), [],
      ["urgency": .byte(1)], -1, timeout: Self.timeout)
  }
}
