// SPDX-License-Identifier: Apache-2.0
/// The user activation of a request: what the user did for it, as far as the broker knows.
public enum UserActivation: String, CaseIterable, Sendable {
  /// The user clicked or pressed something: the request has an activation token from a caller outside a sandbox.
  case clicked
  /// The user was asked about this request and allowed it.
  case allowed
}
