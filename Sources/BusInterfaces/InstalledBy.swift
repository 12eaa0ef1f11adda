// SPDX-License-Identifier: Apache-2.0
/// The users that can change an application's installed files: its desktop entry, its program, and the directories above both.
public enum InstalledBy: String, CaseIterable, Sendable {
  /// Only root can change them.
  case system
  /// Other users can change them, or this cannot be determined.
  case user
}
