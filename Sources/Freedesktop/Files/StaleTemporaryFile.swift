// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A temporary file of `AtomicFile` that remained because its process was killed.
enum StaleTemporaryFile {
  private static let infix = ".usher-"
  private static let suffix = ".new"
  private static let digits = 8

  /// Returns a random name for a temporary file beside `target`, that no user is likely to give.
  static func path(beside target: String) -> String {
    let number = String(UInt32.random(in: 0 ... .max), radix: 16)
    return target + infix + String(repeating: "0", count: digits - number.utf8.count) + number + suffix
  }

  /// Returns whether a file name is that of a temporary file.
  static func matches(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    let ending = bytes.suffix(infix.utf8.count + digits + suffix.utf8.count)
    let number = ending.dropFirst(infix.utf8.count).prefix(digits)
    return bytes.count > ending.count && ending.starts(with: infix.utf8)
      && number.allSatisfy { "0123456789abcdef".utf8.contains($0) }
      && ending.dropFirst(infix.utf8.count + digits).elementsEqual(suffix.utf8)
  }
}

extension Registration {
  /// The temporary files that remained because the process of a registration was killed.
  ///
  /// They are harmless. While the `RegistrationLock` is held, none of them is in use.
  public var leftOvers: [String] {
    let list = AtomicFile(directories.userAssociationList).directory
    var found: [String] = []
    var seen: Set<DirectoryIdentity> = []
    gather(list, deep: false, found: &found, seen: &seen)
    gather(directories.userApplicationDirectory, deep: true, found: &found, seen: &seen)
    // Symbolic links may lead to a directory that was already listed, so the real paths are deduplicated.
    return Set(found.map(Self.realPath)).sorted()
  }

  /// Removes `leftOvers`; errors are ignored.
  public func removeLeftOvers() {
    for path in leftOvers { unlink(path) }
  }

  private static func realPath(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private func gather(
    _ directory: String, deep: Bool, found: inout [String], seen: inout Set<DirectoryIdentity>
  ) {
    guard case .items(let items) = files.list(directory) else { return }
    for item in items {
      if let identity = item.directory {
        if deep, seen.insert(identity).inserted {
          gather(directory + "/" + item.name, deep: true, found: &found, seen: &seen)
        }
      } else if StaleTemporaryFile.matches(item.name) {
        found.append(directory + "/" + item.name)
      }
    }
  }
}
