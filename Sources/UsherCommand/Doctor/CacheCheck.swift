// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// A check that each `mimeinfo.cache` matches the entries of its directory, because GIO reads only the cache.
enum CacheCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    snapshot.scannedDirectories.flatMap { directory in
      let here = snapshot.entries.filter { $0.directoryIndex == directory.index }
      return missing(directory, here) + stale(directory, here)
    }
  }

  private static func missing(_ directory: ScannedDirectory, _ entries: [ScannedEntry]) -> [Finding] {
    entries.filter { !$0.entry.isHidden && $0.entry.file.isWellFormed }.compactMap { known in
      let absent = known.entry.schemes.filter { !named(known.id, $0, in: directory) }
      guard !absent.isEmpty else { return nil }
      return Finding(
        check: "cache",
        message:
          "\(directory.path)/mimeinfo.cache lacks \(absent.joined(separator: ", ")), so GIO does not know that "
          + "\(known.id) opens it",
        file: known.path, line: known.line(of: "MimeType"), command: command(directory))
    }
  }

  private static func stale(_ directory: ScannedDirectory, _ entries: [ScannedEntry]) -> [Finding] {
    guard let cache = directory.cache, let file = cache.file else { return [] }
    let types = file.keys(in: group).filter { $0.hasPrefix(prefix) }
    return types.flatMap { type in
      (file.list(of: type, in: group) ?? []).compactMap { name -> Finding? in
        let entry = entries.first { $0.id.desktopFileName == name }
        if let entry, entry.entry.mimeTypes.contains(type) { return nil }
        let isThere = ApplicationID(desktopFileName: name).map(directory.ids.contains) ?? false
        return Finding(
          check: "cache",
          message:
            "it lists \(name) for \(type), which \(isThere ? "does not declare this type" : "does not exist")",
          file: cache.path, line: file.line(of: type, in: group), command: command(directory))
      }
    }
  }

  private static func named(_ id: ApplicationID, _ scheme: String, in directory: ScannedDirectory) -> Bool {
    directory.cache?.file?.list(of: prefix + scheme, in: group)?.contains(id.desktopFileName) ?? false
  }

  private static func command(_ directory: ScannedDirectory) -> String {
    Shell.command("update-desktop-database", directory.path)
  }

  private static let group = "MIME Cache"
  private static let prefix = "x-scheme-handler/"
}
