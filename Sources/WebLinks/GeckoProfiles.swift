// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop

/// The profiles of Firefox and its derivatives.
///
/// - `profiles.ini` has a group `ProfileN` for each profile, with `Name`, `Path`, `IsRelative` and, for the one that versions
///   before 67 use, `Default=1` (`toolkit/profile/nsToolkitProfileService.cpp`).
/// - Since version 67 each installation has a default profile of its own: `Default` in a group `InstallHASH` of `profiles.ini`, and in
///   the group `HASH` of `installs.ini`, which survives an older version that rewrites `profiles.ini`. The hash is that of the
///   installation's directory, which the profile's `compatibility.ini` names as `LastPlatformDir`.
/// - Since version 138 a profile may have a `StoreID`: it then stands for a group of profiles, which are in `Profile Groups/STOREID.sqlite`.
///   Its `Path` is that of the profile of the group that was used last, so it does not name one profile
///   (`toolkit/profile/ProfilesDatastoreService.sys.mjs`, `browser/components/profiles/SelectableProfileService.sys.mjs`). Firefox itself
///   starts such profiles with `--profile DIRECTORY`.
struct GeckoProfiles {
  let family: BrowserFamily
  /// The directory with `profiles.ini`.
  let directory: String
  /// The path of that directory in the browser's own view of the file system.
  let pathForBrowser: String
  /// The directory of the installation; `nil` if it is unknown.
  let installation: String?

  private static let largestList = 1 << 20

  /// A profile of `profiles.ini`.
  private struct Listed {
    let name: String
    /// The path as the file has it, which the lists of installations repeat.
    let path: String
    let isRelative: Bool
    let isOldDefault: Bool
    let storeID: String?
  }

  /// Reads the lists.
  func read(_ files: inout ProfileFiles) throws(ProfileError) -> [BrowserProfile] {
    let path = "\(directory)/profiles.ini"
    guard let bytes = try files.text(at: path, limit: Self.largestList) else { return [] }
    let list = KeyFile(bytes: bytes)
    // The values have no escapes.
    let values = list.values(of: ["Name", "Path", "IsRelative", "Default", "StoreID", "StartWithLastProfile"])
    let groups = list.groups
    let listed = groups.filter(Self.isProfile).sorted(by: Self.precedes).compactMap { group -> Listed? in
      guard let own = values[group], let name = own["Name"], let path = own["Path"], !path.isEmpty else {
        return nil
      }
      return Listed(
        name: name, path: path, isRelative: own["IsRelative"] != "0", isOldDefault: own["Default"] == "1",
        storeID: own["StoreID"])
    }
    guard listed.count <= ProfileFiles.maximumCount else {
      throw ProfileError(.tooMany(limit: ProfileFiles.maximumCount), at: path)
    }
    let installations = groups.filter { $0.hasPrefix("Install") }.compactMap { values[$0]?["Default"] }
    let defaultPath =
      values["General"]?["StartWithLastProfile"] == "0"
      ? nil : try defaultPath(among: listed, installations, &files)
    var profiles: [BrowserProfile] = []
    for item in listed {
      let isDefault = item.path == defaultPath
      if let group = try group(of: item, isDefault: isDefault, &files) {
        profiles += group
      } else {
        profiles.append(profile(item, isDefault: isDefault))
      }
    }
    return Self.withUniqueKeys(profiles)
  }

  /// Returns the members of the group for which a profile stands; `nil` if it stands for itself.
  private func group(
    of item: Listed, isDefault: Bool, _ files: inout ProfileFiles
  ) throws(ProfileError) -> [BrowserProfile]? {
    // The ID becomes the name of a file.
    guard let id = item.storeID, !id.isEmpty, !id.utf8.contains(UInt8(ascii: "/")), !id.utf8.contains(0)
    else { return nil }
    let members = try ProfileGroup(path: "\(directory)/Profile Groups/\(id).sqlite").members(&files)
    guard !members.isEmpty else { return nil }
    return members.map { member in
      let arguments = try? family.arguments(ofProfileAt: absolute(member.path, in: pathForBrowser))
      return BrowserProfile(
        name: ProfileFiles.shown(member.name), key: Self.lastSegment(of: member.path),
        arguments: arguments ?? [],
        isDefault: isDefault && member.path == item.path)
    }
  }

  private func profile(_ item: Listed, isDefault: Bool) -> BrowserProfile {
    // A name that Firefox would read as an option is replaced by the path.
    if ProfileFiles.isKey(item.name), let arguments = try? family.arguments(ofProfileNamed: item.name) {
      return BrowserProfile(
        name: ProfileFiles.shown(item.name), key: item.name, arguments: arguments, isDefault: isDefault)
    }
    return BrowserProfile(
      name: ProfileFiles.shown(item.name), key: Self.lastSegment(of: item.path),
      arguments: argumentsOfPath(item), isDefault: isDefault)
  }

  private func argumentsOfPath(_ item: Listed) -> [String] {
    let path = item.isRelative ? absolute(item.path, in: pathForBrowser) : item.path
    return (try? family.arguments(ofProfileAt: path)) ?? []
  }

  /// Returns the path, as the lists have it, of the profile that this installation uses; `nil` if Firefox asks the user.
  private func defaultPath(
    among listed: [Listed], _ installations: [String], _ files: inout ProfileFiles
  ) throws(ProfileError) -> String? {
    var paths = installations
    if paths.isEmpty, let bytes = try files.text(at: "\(directory)/installs.ini", limit: Self.largestList) {
      let installs = KeyFile(bytes: bytes)
      let values = installs.values(of: ["Default"])
      paths = installs.groups.compactMap { values[$0]?["Default"] }
    }
    let known = Set(listed.map(\.path))
    paths = paths.filter(known.contains).unique
    if paths.count > 1, let installation {
      for path in paths {
        guard let item = listed.first(where: { $0.path == path }) else { continue }
        let place = (item.isRelative ? absolute(path, in: directory) : path) + "/compatibility.ini"
        // A profile directory that cannot be read only leaves the default undecided.
        guard let bytes = try? files.text(at: place, limit: Self.largestList) else { continue }
        if KeyFile(bytes: bytes).value(of: "LastPlatformDir", in: "Compatibility") == installation {
          return path
        }
      }
    }
    if paths.count == 1 { return paths.first }
    return (listed.first(where: \.isOldDefault) ?? (listed.count == 1 ? listed.first : nil))?.path
  }

  /// Resolves a path of the browser's lists, which is relative to the directory with `profiles.ini`.
  private func absolute(_ path: String, in directory: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    var segments = directory.split(separator: "/")
    for segment in path.split(separator: "/") where segment != "." {
      if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
    }
    return "/" + segments.joined(separator: "/")
  }

  private static func lastSegment(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Removes profiles without a valid key, and those whose key another profile has, because a key selects one profile.
  private static func withUniqueKeys(_ profiles: [BrowserProfile]) -> [BrowserProfile] {
    var seen: Set<String> = []
    return profiles.filter { ProfileFiles.isKey($0.key) && seen.insert($0.key).inserted }
  }

  private static func isProfile(_ group: String) -> Bool {
    group.hasPrefix("Profile") && Int(group.dropFirst(7)) != nil
  }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    (Int(left.dropFirst(7)) ?? 0) < (Int(right.dropFirst(7)) ?? 0)
  }
}
