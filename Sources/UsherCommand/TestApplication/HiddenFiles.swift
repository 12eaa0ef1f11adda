// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Glibc

/// Files of an application, each with a directory in its place, which even root cannot read as a file.
struct HiddenFiles {
  /// The paths of the files.
  let paths: [String]

  /// Hides the files below a directory that contain a text.
  init(containing text: String, below directory: String) {
    let text = Array(text.utf8)
    paths = Self.files(below: directory).filter { path in
      guard case .bytes(let bytes) = LocalFiles().read(path), bytes.contains(text) else { return false }
      return rename(path, Self.hidden(path)) == 0
    }
    for path in paths { mkdir(path, 0o700) }
  }

  /// Moves the files back.
  func restore() {
    for path in paths {
      PrivateBus.remove(path)
      rename(Self.hidden(path), path)
    }
  }

  private static func hidden(_ path: String) -> String { path + ".hidden" }

  /// Returns the regular files below a directory; symbolic links are not followed.
  private static func files(below path: String) -> [String] {
    var status = stat()
    guard lstat(path, &status) == 0 else { return [] }
    if status.st_mode & S_IFMT == S_IFREG { return [path] }
    guard status.st_mode & S_IFMT == S_IFDIR, case .items(let items) = LocalFiles().list(path) else {
      return []
    }
    return items.flatMap { files(below: "\(path)/\($0.name)") }
  }
}
