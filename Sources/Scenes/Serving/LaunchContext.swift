// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Glibc

/// The launch of this process, as described by its arguments and environment.
struct LaunchContext: Sendable {
  /// The URLs and documents among the arguments, in order; a document is a file URL.
  var urls: [String]
  /// The token that allows this process, or the running instance, to bring its window to the front.
  var activationToken: String?
  /// A Boolean value that is `true` if the broker or the bus started this process and sends the request itself.
  var isAwaited: Bool

  init(urls: [String], activationToken: String? = nil, isAwaited: Bool = false) {
    self.urls = urls
    self.activationToken = activationToken
    self.isAwaited = isAwaited
  }

  /// Reads the launch context of the current process.
  ///
  /// Removes the variables that are meant for this process alone from the environment, so that no child process
  /// inherits them (xdg-activation, "XDG_ACTIVATION_TOKEN"; Startup Notification Specification).
  static func current(arguments: [String]) -> LaunchContext {
    let tokens = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"].compactMap(take)
    let starters = ["USHER_LAUNCH", "DBUS_STARTER_ADDRESS"].compactMap(take)
    return LaunchContext(
      urls: LaunchArguments(arguments).urls, activationToken: tokens.first,
      isAwaited: !starters.isEmpty)
  }

  private static func take(_ variable: String) -> String? {
    guard let value = getenv(variable), value.pointee != 0 else { return nil }
    let text = String(cString: value)
    unsetenv(variable)
    return text
  }
}
