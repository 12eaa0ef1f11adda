// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

/// The activation token and the startup ID of a caller, each of which brings one window to the front.
@BrokerActor
final class CallerTokens {
  private let activationToken: String?
  private let startupID: String?
  /// A Boolean value that indicates whether the window of a prompt got the tokens, so that no application may get them.
  private(set) var areUsed = false

  /// Creates the tokens of a request with these options.
  init(_ options: OpenOptions) { (activationToken, startupID) = (options.activationToken, options.startupID) }

  /// Returns the tokens for a window, once.
  func use() -> (activationToken: String?, startupID: String?) {
    guard !areUsed, activationToken != nil else { return (nil, nil) }
    areUsed = true
    return (activationToken, startupID)
  }

  /// Makes the tokens available again, because the window was not shown.
  func restore() { areUsed = false }
}
