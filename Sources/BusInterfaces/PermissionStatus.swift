// SPDX-License-Identifier: Apache-2.0
/// The user's answer to the question whether an application has a permission, as `RequestPermission` returns it.
public enum PermissionStatus: String, Sendable {
  /// There is no answer.
  case notDetermined = "not-determined"
  /// The user allows it.
  case allowed
  /// The user does not allow it.
  case denied
}
