// SPDX-License-Identifier: Apache-2.0
import RouteFiles

/// The last versions without errors of route files or lock files, which are used while the files have errors.
struct SoundVersions {
  private var versions: [RouteDirectory: RouteFileVersion] = [:]
  /// The versions that must be stored for the next start of the broker.
  private var unstored: [RouteFileVersion] = []

  /// Returns the last version without errors of a file, from memory or from `store`; `nil` if there is none.
  func last(of file: RouteDirectory, in store: RouteVersionStore?) -> RouteFileVersion? {
    versions[file] ?? store?.version(of: file)
  }

  /// Records the versions that were read now.
  mutating func record(_ read: [RouteFileVersion]) {
    for version in read where versions[version.file] != version {
      versions[version.file] = version
      unstored.append(version)
    }
    guard versions.count > BrokerLimits.maximumRouteFileVersions else { return }
    // Files that appear and disappear must not fill the memory; the store has its own limit.
    let known = Set(read.map(\.file))
    versions = versions.filter { known.contains($0.key) }
  }

  /// Removes and returns the versions that must be stored.
  mutating func takeUnstored() -> [RouteFileVersion] {
    defer { unstored = [] }
    return unstored
  }
}
