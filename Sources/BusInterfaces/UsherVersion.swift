// SPDX-License-Identifier: Apache-2.0
/// The version of Usher's programs and interfaces.
public enum UsherVersion {
  /// The version in the format of semver.org, such as `0.2.0`.
  public static let text = "0.2.0"
}
