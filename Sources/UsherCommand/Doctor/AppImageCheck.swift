// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// A check that the AppImages of registered entries are still where they were.
enum AppImageCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    snapshot.managedEntries.filter { isMissing($0, snapshot) }.map { entry in
      let old = entry.owner ?? ""
      let moved = snapshot.registration.movedAppImage(of: entry)
      let register = Shell.command(
        "usher", "register", moved?.path ?? "/new/path/of/the.AppImage", "--id", entry.id.rawValue)
      let message = "the AppImage \(old) of \(entry.id) does not exist (moved, updated or deleted)"
      return Finding(
        check: "appimage", message: moved.map { "\(message); it seems to be \($0.path)" } ?? message,
        file: entry.path, line: entry.file.line(of: "Exec", in: DesktopEntry.group),
        command: moved == nil
          ? "\(register), or \(Shell.command("usher", "unregister", entry.id.rawValue))" : register,
        repair: moved.map { .appImage(entry, $0) })
    }
  }

  /// Returns whether the entry is from an AppImage whose file is missing, which this check reports and no other one.
  static func isMissing(_ entry: ManagedEntry, _ snapshot: SystemSnapshot) -> Bool {
    guard entry.isFromAppImage, let owner = entry.owner else { return false }
    return snapshot.programs.find(owner) == nil && snapshot.programs.notExecutable(owner) == nil
  }
}
