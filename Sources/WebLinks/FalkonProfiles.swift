// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop

/// The profiles of Falkon: the directories in `profiles`, and `startProfile` in `profiles/profiles.ini` (`src/lib/app/profilemanager.cpp`).
struct FalkonProfiles {
  let family: BrowserFamily
  /// The data directory.
  let directory: String

  /// Reads the list.
  func read(_ files: inout ProfileFiles) throws(ProfileError) -> [BrowserProfile] {
    let path = "\(directory)/profiles"
    guard let names = try files.subdirectories(of: path) else { return [] }
    guard names.count <= ProfileFiles.maximumCount else {
      throw ProfileError(.tooMany(limit: ProfileFiles.maximumCount), at: path)
    }
    let list = try files.text(at: "\(path)/profiles.ini", limit: 1 << 20).map { KeyFile(bytes: $0) }
    let start = list?.value(of: "startProfile", in: "Profiles") ?? "default"
    // A name that is not UTF-8 has U+FFFD, and leads to another directory.
    return names.filter { ProfileFiles.isKey($0) && !$0.unicodeScalars.contains("\u{FFFD}") }.map { name in
      BrowserProfile(
        name: ProfileFiles.shown(name), key: name,
        arguments: (try? family.arguments(ofProfileNamed: name)) ?? [], isDefault: name == start)
    }
  }
}
