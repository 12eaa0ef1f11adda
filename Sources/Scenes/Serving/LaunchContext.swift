import BusInterfaces
import Glibc

/// How this process was started, as its arguments and environment tell.
struct LaunchContext: Sendable {
  /// The URLs among the arguments, in order.
  var urls: [String]
  /// Allows us, or the instance that is running, to come to the front.
  var activationToken: String?
  /// Whether the broker or the bus started us and will hand the request over itself.
  var isAwaited: Bool

  init(urls: [String], activationToken: String? = nil, isAwaited: Bool = false) {
    self.urls = urls
    self.activationToken = activationToken
    self.isAwaited = isAwaited
  }

  /// Reads the start of this very process.
  ///
  /// What is meant for us alone is taken out of the environment, so that no program we start inherits it
  /// (xdg-activation, "XDG_ACTIVATION_TOKEN"; Startup Notification Specification).
  static func current(arguments: [String]) -> LaunchContext {
    let tokens = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"].compactMap(take)
    let starters = ["USHER_LAUNCH", "DBUS_STARTER_ADDRESS"].compactMap(take)
    return LaunchContext(
      urls: arguments.filter { URLParts($0) != nil }, activationToken: tokens.first,
      isAwaited: !starters.isEmpty)
  }

  private static func take(_ variable: String) -> String? {
    guard let value = getenv(variable), value.pointee != 0 else { return nil }
    let text = String(cString: value)
    unsetenv(variable)
    return text
  }
}
