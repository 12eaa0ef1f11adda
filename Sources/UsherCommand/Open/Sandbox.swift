// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// The sandbox that this process runs in, whose programs open links through the desktop's portal.
enum Sandbox: String {
  case flatpak = "a Flatpak"
  case snap = "a Snap"

  /// The sandbox of this process; `nil` outside of one.
  ///
  /// Flatpak mounts `/.flatpak-info` (flatpak-metadata(5)). Programs inherit the variables of a Snap outside of it too, so
  /// its AppArmor profile decides.
  static var current: Sandbox? {
    if case .bytes = LocalFiles().read("/.flatpak-info") { return .flatpak }
    guard case .bytes(let label) = LocalFiles().read("/proc/self/attr/current") else { return nil }
    let profile = String(decoding: label, as: UTF8.self)
    return profile.hasPrefix("snap.") && profile.contains("(enforce)") ? .snap : nil
  }
}
