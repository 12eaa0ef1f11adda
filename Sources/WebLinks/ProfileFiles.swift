// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Glibc

/// The files that were read for a list of profiles, so that a cache can recognize a change.
struct ProfileFiles {
  private let files = LocalFiles()
  /// The directory for copies.
  let temporaryDirectory: String
  /// The paths in the order in which they were read, whether they exist or not.
  private(set) var places: [String] = []

  init(environment: [String: String]) {
    let directories = ["XDG_RUNTIME_DIR", "TMPDIR"].compactMap { environment[$0] }
    temporaryDirectory = directories.first { $0.hasPrefix("/") && access($0, W_OK | X_OK) == 0 } ?? "/tmp"
  }

  /// Reads a regular file of UTF-8 text; `nil` if there is none.
  ///
  /// - Throws: `unreadable` for a larger file, a pipe, a loop of links and every other error, and `malformed` for other text.
  mutating func text(at path: String, limit: Int) throws(ProfileError) -> [UInt8]? {
    guard let bytes = try bytes(at: path, limit: limit) else { return nil }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw ProfileError(.malformed("it is not UTF-8 text"), at: path)
    }
    return bytes
  }

  /// Reads a regular file; `nil` if there is none.
  mutating func bytes(at path: String, limit: Int) throws(ProfileError) -> [UInt8]? {
    places.append(path)
    // A path with a NUL leads to another file.
    guard !path.utf8.contains(0) else { throw ProfileError(.unreadable("its name contains a NUL"), at: path) }
    switch files.read(path, limit: limit) {
    case .bytes(let bytes): return bytes
    case .missing: return nil
    case .unreadable(let reason): throw ProfileError(.unreadable(reason), at: path)
    }
  }

  /// Returns whether a directory exists, symbolic links followed.
  mutating func hasDirectory(_ path: String) -> Bool {
    places.append(path)
    if case .missing = files.list(path) { return false }
    return true
  }

  /// Returns the names of the subdirectories of a directory, sorted; `nil` if there is no such directory.
  mutating func subdirectories(of path: String) throws(ProfileError) -> [String]? {
    places.append(path)
    switch files.list(path) {
    case .items(let items): return items.filter { $0.directory != nil }.map(\.name).sorted()
    case .missing: return nil
    case .unreadable(let reason): throw ProfileError(.unreadable(reason), at: path)
    }
  }

  /// Returns a name for display, shortened if it is longer than a list or a prompt can show.
  static func shown(_ name: String) -> String { name.count > 100 ? name.prefix(99) + "…" : name }

  /// Returns whether a text can be the key of a profile: short, and without control characters.
  static func isKey(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 255
      && !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }

  /// The largest number of profiles of one browser; all are offered in one prompt.
  static let maximumCount = 1_000
}
