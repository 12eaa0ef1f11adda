import BusInterfaces
import DBus

/// A notification that a link was not opened, for a person who clicked it and sees no terminal.
struct FailureNotice {
  /// How long a notification server is waited for.
  private static let timeout = Duration.seconds(2)

  /// What was to be opened, as it may be shown.
  let links: [String]
  /// Why it was not, in a sentence.
  let reason: String

  /// Shows it; does nothing where there is no bus, or nobody there that shows notifications.
  func show() {
    guard let bus = try? BlockingBusConnection(.user),
      let capabilities = try? bus.call(
        NotificationsInterface.getCapabilities, at: NotificationsInterface.server, timeout: Self.timeout)
    else { return }
    let text = (links + [reason, "“usher doctor” says what is wrong."]).joined(separator: "\n")
    _ = try? bus.call(
      NotificationsInterface.notify, at: NotificationsInterface.server, "Usher", 0, "dialog-error",
      "A link may not have been opened",
      NotificationsInterface.body(text, takesMarkup: capabilities.contains("body-markup")), [],
      ["urgency": .byte(1)], -1, timeout: Self.timeout)
  }
}
