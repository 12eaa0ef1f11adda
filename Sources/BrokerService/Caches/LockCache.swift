// SPDX-License-Identifier: Apache-2.0
import RouteFiles

/// The administrator's locks, with the last version without errors of each file.
struct LockCache {
  private(set) var locks = Locks(in: [], isWritableByRootOnly: { _ in false })
  private var sound: [RouteDirectory: RouteFileVersion] = [:]
  /// The versions that must be stored for the next start of the broker.
  private var unstored: [RouteFileVersion] = []

  /// Removes and returns the versions that must be stored.
  mutating func takeUnstored() -> [RouteFileVersion] {
    defer { unstored = [] }
    return unstored
  }

  /// Reads the lock files of directories.
  ///
  /// - Parameters:
  ///   - isWritableByRootOnly: Whether only root can write a file.
  ///   - report: Receives each diagnostic that is new since the last time.
  mutating func read(
    in directories: [String], from store: RouteVersionStore, isWritableByRootOnly: (_ path: String) -> Bool,
    report: (RouteFileDiagnostic) -> Void
  ) -> Locks {
    let (sound, before) = (sound, locks.diagnostics)
    locks = Locks(
      in: directories, isWritableByRootOnly: isWritableByRootOnly,
      lastSound: { sound[$0] ?? store.version(of: $0) })
    for diagnostic in locks.diagnostics where !before.contains(diagnostic) { report(diagnostic) }
    for version in locks.soundVersions where sound[version.file] != version { unstored.append(version) }
    self.sound = sound.filter { version in directories.contains { Locks.path(in: $0) == version.key.path } }
    for version in locks.soundVersions { self.sound[version.file] = version }
    return locks
  }
}
