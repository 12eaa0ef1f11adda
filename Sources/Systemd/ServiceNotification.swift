import CSystemd

/// What a service tells the manager that started it (sd_notify(3)).
public enum ServiceNotification: Hashable, Sendable {
  /// Start-up has finished.
  case ready
  /// The service is going down.
  case stopping
  /// One line for `systemctl status`.
  case status(String)

  /// Tells the manager; does nothing where no manager asked for it.
  public func send() {
    switch self {
    case .ready: sd_notify(0, "READY=1")
    case .stopping: sd_notify(0, "STOPPING=1")
    case .status(let text):
      // A second line would be another assignment.
      sd_notify(0, "STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }
  }
}
