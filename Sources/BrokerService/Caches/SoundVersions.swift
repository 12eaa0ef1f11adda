// SPDX-License-Identifier: Apache-2.0
import RouteFiles

/// The last versions without errors of route files or lock files, which are used while the files have errors.
struct SoundVersions {
  /// A file by the bytes of its path, because paths with the same normal form are equal strings.
  private struct Key: Hashable {
    let path: [UInt8]
    let file: RouteDirectory

    init(_ file: RouteDirectory) { (path, self.file) = (Array(file.path.utf8), file) }
  }

  private var versions: [Key: RouteFileVersion] = [:]
  /// The versions that must be stored for the next start of the broker.
  private var unstored: [RouteFileVersion] = []

  /// Returns the last version without errors of a file, from memory or from `store`; `nil` if there is none.
  func last(of file: RouteDirectory, in store: RouteVersionStore?) -> RouteFileVersion? {
    versions[Key(file)] ?? store?.version(of: file)
  }

  /// Records the versions that were read now.
  mutating func record(_ read: [RouteFileVersion]) {
    for version in read {
      // Strings with the same normal form are equal, and another spelling of a URL is another URL.
      let known = versions[Key(version.file)]
      guard known != version || known?.text.utf8.elementsEqual(version.text.utf8) != true else { continue }
      versions[Key(version.file)] = version
      unstored.append(version)
    }
    guard versions.count > BrokerLimits.maximumRouteFileVersions else { return }
    // Files that appear and disappear must not fill the memory; the store has its own limit.
    let known = Set(read.map { Key($0.file) })
    versions = versions.filter { known.contains($0.key) }
  }

  /// Removes and returns the versions that must be stored.
  mutating func takeUnstored() -> [RouteFileVersion] {
    defer { unstored = [] }
    return unstored
  }
}
