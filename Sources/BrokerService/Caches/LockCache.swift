// SPDX-License-Identifier: Apache-2.0
import RouteFiles

/// The administrator's locks, with the last version without errors of each file.
struct LockCache {
  private(set) var locks = Locks(in: [], isWritableByRootOnly: { _ in false })
  private var sound = SoundVersions()

  /// Removes and returns the versions that must be stored.
  mutating func takeUnstored() -> [RouteFileVersion] { sound.takeUnstored() }

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
      lastSound: { sound.last(of: $0, in: store) })
    for diagnostic in locks.diagnostics where !before.contains(diagnostic) { report(diagnostic) }
    self.sound.record(locks.soundVersions)
    return locks
  }
}
