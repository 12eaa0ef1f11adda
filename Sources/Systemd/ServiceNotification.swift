// SPDX-License-Identifier: Apache-2.0
import CSystemd

/// A notification of a service to its service manager (sd_notify(3)).
public enum ServiceNotification: Hashable, Sendable {
  /// The start of the service has finished.
  case ready
  /// The service is stopping.
  case stopping
  /// One line for `systemctl status`.
  case status(String)

  /// Sends the notification; has no effect without a service manager.
  public func send() {
    switch self {
    case .ready: sd_notify(0, "READY=1")
    case .stopping: sd_notify(0, "STOPPING=1")
    case .status(let text):
      // Joined to one line, because a second line would be another assignment.
      sd_notify(0, "STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }
  }
}
