import BusInterfaces
import Glibc
import Launching

extension OpenOptions {
  /// Adds what comes with how this process was started.
  mutating func inherit() {
    activationToken = Self.inheritedActivationToken
    // Started for a request ourselves, by a program that hands it on: one more round.
    if let hops = EnvelopeFile.hops(in: Self.inheritedEnvelope) { self.hops = min(hops, .max - 1) + 1 }
  }

  /// The variables of the request that this process was started for; the others are not even read.
  private static var inheritedEnvelope: [String: String] {
    var variables: [String: String] = [:]
    for name in [EnvelopeFile.variable, EnvelopeFile.hopsVariable] { variables[name] = variable(name) }
    return variables
  }

  /// What the launcher that started us gave us for the window of the application.
  private static var inheritedActivationToken: String? {
    for name in ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"] {
      guard let value = variable(name), !value.isEmpty else { continue }
      // What the broker would refuse is not worth losing the link.
      if value.utf8.count <= 4_096, Console.visible(value) == value, !value.contains("\n") { return value }
    }
    return nil
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
