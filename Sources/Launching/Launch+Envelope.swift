// SPDX-License-Identifier: Apache-2.0
import BrokerCore
public import BusInterfaces
public import Freedesktop

extension Launch {
  /// Passes the envelope of a request to the program: its variables, and the file that they name.
  ///
  /// - Parameters:
  ///   - entry: The desktop entry of the program; `nil` for a program that a route runs.
  ///   - runtimeDirectory: The directory of the file; `nil` if there is none.
  /// - Returns: The file, which must be removed when the program exits; `nil` if the program gets none.
  public mutating func pass(
    _ envelope: Envelope, to entry: DesktopEntry?, in runtimeDirectory: String?
  ) -> EnvelopeFile? {
    // The path does not exist inside a sandbox.
    let isSandboxed = entry?["X-Flatpak"] != nil || entry?["X-SnapInstanceName"] != nil
    let file = isSandboxed ? nil : EnvelopeFile(envelope, in: runtimeDirectory)
    variables.merge(EnvelopeFile.variables(for: envelope, in: file)) { $1 }
    // Also without StartupNotify=true, as with an opener whose environment the program inherits.
    pass(activationToken: envelope.activationToken, startupID: envelope.startupID)
    return file
  }

  /// Passes the tokens with which the program may bring its window to the front.
  public mutating func pass(activationToken: String?, startupID: String?) {
    guard let activationToken else { return }
    variables["XDG_ACTIVATION_TOKEN"] = activationToken
    variables["DESKTOP_STARTUP_ID"] = startupID ?? activationToken
  }
}

extension LaunchError {
  /// Returns the message for a request with several programs, of which `count` were started before this error.
  public func message(afterStarting count: Int) -> String {
    count == 0 ? description : "\(description); \(count) of its links were passed to it before"
  }
}
