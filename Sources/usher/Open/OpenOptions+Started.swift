import BusInterfaces
import Glibc
import Launching

extension OpenOptions {
  /// The options that come with how this process was started.
  static func forStartedProgram() -> OpenOptions {
    var options = OpenOptions()
    options.activationToken = inheritedActivationToken
    // Started for a request ourselves, by a program that hands it on: one more round.
    if let hops = EnvelopeFile.hops(in: LaunchEnvironment.current()) {
      options.hops = min(hops, .max - 1) + 1
    }
    return options
  }

  /// What the launcher that started us gave us for the window of the application.
  private static var inheritedActivationToken: String? {
    for name in ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"] {
      guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { continue }
      // What the broker would refuse is not worth losing the link.
      if value.utf8.count <= 4_096, Console.visible(value) == value, !value.contains("\n") { return value }
    }
    return nil
  }
}
