// SPDX-License-Identifier: Apache-2.0
/// A feature that the administrator can disable for all users; the raw value is its key in `locks.toml`.
public enum Lock: String, CaseIterable, Hashable, Sendable {
  /// The routes in directories that belong to the user.
  case userRoutes = "user_routes"
  /// Stored answers to prompts, and `usher grants allow`.
  case grants
  /// `usher register --direct`.
  case directRegistration = "direct_registration"
}
