// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Glibc
import Launching
import OpenSocket
import RemoteProtocol

extension OpenOptions {
  /// Adds the options that this process inherited from its environment.
  mutating func inherit() {
    let tokens = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"].compactMap(Self.token)
    activationToken = tokens.first
    startupID = tokens.last == tokens.first ? nil : tokens.last
    let session = SessionVariables.values(UserEnvironment.variable)
    self.session = session.isEmpty ? nil : session
    // If this process was started for a request and forwards it, the new request is one hop further.
    if let hops = EnvelopeFile.hops(in: Self.inheritedEnvelope) { self.hops = min(hops, .max - 1) + 1 }
  }

  /// The variables of the request for which this process was started; no other variables are read.
  private static var inheritedEnvelope: [String: String] {
    var variables: [String: String] = [:]
    for name in [EnvelopeFile.variable, EnvelopeFile.hopsVariable] {
      variables[name] = UserEnvironment.variable(name)
    }
    return variables
  }

  /// Returns a token that the launcher passed for the application's window.
  private static func token(_ name: String) -> String? {
    guard let value = UserEnvironment.variable(name), !value.isEmpty else { return nil }
    // A token that the broker would reject is dropped, so that the link is still opened.
    return value.utf8.count <= 4_096 && value.visibleInOneLine == value ? value : nil
  }
}
