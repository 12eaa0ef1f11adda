// SPDX-License-Identifier: Apache-2.0
import FileOutput
import Glibc

/// A group of Firefox's profiles: the table `Profiles` of a SQLite database.
///
/// Running browsers have the database open in WAL mode, and write the latest changes into the log beside it. SQLite would need to
/// write into the browser's directory to read both, so that a copy of database and log is read.
struct ProfileGroup {
  /// A profile of the group.
  struct Member: Hashable {
    /// The name that the browser shows.
    let name: String
    /// The path of its directory, relative to the directory with `profiles.ini`.
    let path: String
  }

  /// The path of the database.
  let path: String

  /// Firefox's database has a few hundred kilobytes.
  private static let largestFile = 16 << 20
  private static let attempts = 3

  /// Reads the members in the order in which they were created; none if there is no database.
  func members(_ files: inout ProfileFiles) throws(ProfileError) -> [Member] {
    for _ in 0..<Self.attempts {
      guard let database = try files.bytes(at: path, limit: Self.largestFile) else { return [] }
      let log = try files.bytes(at: path + "-wal", limit: Self.largestFile)
      // The browser moves pages from the log to the database, so that both must be of one moment.
      guard try files.bytes(at: path, limit: Self.largestFile) == database else { continue }
      return try members(ofDatabase: database, log: log, below: files.temporaryDirectory)
    }
    throw ProfileError(.changing, at: path)
  }

  private func members(
    ofDatabase database: [UInt8], log: [UInt8]?, below directory: String
  ) throws(ProfileError) -> [Member] {
    guard let library = SQLiteLibrary.shared else {
      throw ProfileError(.missingLibrary(SQLiteLibrary.name), at: path)
    }
    let copy = try TemporaryCopy(of: path, below: directory)
    defer { copy.remove() }
    try copy.write(database, to: "copy")
    if let log, !log.isEmpty { try copy.write(log, to: "copy-wal") }
    do throws(SQLiteLibrary.Failure) {
      let rows = try library.rows(
        of: "SELECT name, path FROM Profiles ORDER BY id LIMIT \(ProfileFiles.maximumCount + 1)",
        columns: 2, inDatabaseAt: copy.path(of: "copy"))
      guard rows.count <= ProfileFiles.maximumCount else {
        throw SQLiteLibrary.Failure(message: "it has more than \(ProfileFiles.maximumCount) profiles")
      }
      return rows.filter { !$0[1].isEmpty && !$0[1].utf8.contains(0) }.map {
        Member(name: $0[0], path: $0[1])
      }
    } catch {
      throw ProfileError(.malformed(error.message), at: path)
    }
  }
}

/// A private directory for a copy.
private struct TemporaryCopy {
  private let directory: String
  private let original: String

  init(of original: String, below parent: String) throws(ProfileError) {
    self.original = original
    var template = Array("\(parent)/usher-profiles.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Self.failure(original) }
    directory = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  func path(of name: String) -> String { "\(directory)/\(name)" }

  func write(_ bytes: [UInt8], to name: String) throws(ProfileError) {
    let file = open(path(of: name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw Self.failure(original) }
    defer { close(file) }
    if let error = bytes.writeAll(to: file) { throw Self.failure(original, error) }
  }

  func remove() {
    for name in ["copy", "copy-wal", "copy-shm", "copy-journal"] { unlink(path(of: name)) }
    rmdir(directory)
  }

  private static func failure(_ original: String, _ error: Int32 = errno) -> ProfileError {
    ProfileError(.unreadable("it cannot be copied: \(String(cString: strerror(error)))"), at: original)
  }
}
