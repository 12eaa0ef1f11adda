// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// A check that requests and history can be stored, and that no damaged database was moved aside.
enum StorageCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    let obstacle = snapshot.bus.storage.map { reason in
      Finding(
        check: "storage",
        message:
          "requests are lost when their caller or the broker exits, because they cannot be stored (\(reason))",
        command: snapshot.bus.process.restart)
    }
    let history = snapshot.bus.history.map { reason in
      Finding(
        check: "storage", message: "the history is not recorded, because it cannot be written (\(reason))",
        command: snapshot.bus.process.restart)
    }
    let damaged = snapshot.setAside.map { path in
      Finding(
        check: "storage", message: "a corrupt database was moved here and recreated",
        file: path, command: Shell.command("rm", path))
    }
    return [obstacle, history].compactMap(\.self) + damaged
  }

  /// Returns the damaged databases in these directories, without their auxiliary files.
  static func setAside(in scannedDirectories: [String], _ files: LocalFiles) -> [String] {
    scannedDirectories.flatMap { directory -> [String] in
      guard case .items(let items) = files.list(directory) else { return [] }
      return items.map(\.name).filter { name in
        name.contains(".sqlite.corrupt-") && !["-wal", "-shm", "-reserve"].contains { name.hasSuffix($0) }
      }.sorted().map { directory + "/" + $0 }
    }
  }
}
