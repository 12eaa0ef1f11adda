// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// Notes about what downloads in the background need.
enum DownloadCheck {
  static func notes(_ snapshot: SystemSnapshot) -> [Note] {
    // Without a store, no application has used usher-triggers.
    guard snapshot.notifications.isUsed, snapshot.bus.obstacle == nil else { return [] }
    var notes: [String] = []
    if snapshot.programs.find("curl") == nil {
      notes.append("curl is not installed, so no file is downloaded in the background; sudo apt install curl")
    }
    if !snapshot.bus.hasUserManager {
      notes.append(
        "there is no systemd user manager, so downloads are not confined, and stop when usher-triggers ends; they continue when it is started again"
      )
    }
    return notes.map { Note(check: "downloads", message: $0) }
  }
}
