// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import RouteTables

/// The directory that stores the last version without errors of each route file.
///
/// Each version is a file that is named after its policy layer and a hash of its path. Errors, such as a full disk,
/// are ignored: then there is no stored version.
public struct RouteVersionStore: Sendable {
  /// The maximum number of stored files of one policy layer, and their maximum total size in bytes; the oldest are removed first.
  static let (mostFiles, mostBytes) = (256, 16 << 20)
  private static let header = "usher route version 1"
  private let directory: String
  private let existing: String?

  /// Creates the store in `directory`, which is created on the first write, unless the directory `existing` is missing.
  public init(directory: String, existing: String? = nil) {
    self.directory = directory
    self.existing = existing
  }

  /// Returns the stored version of a file; `nil` if there is none.
  public func version(of file: RouteDirectory) -> RouteFileVersion? {
    guard let content = Self.content(of: path(of: file)) else { return nil }
    let parts = content.split(separator: "\n", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0] == Self.header, parts[1] == file.path, let changed = Int(parts[2]),
      // A truncated file, or one of another path with this hash, is ignored.
      parts[3] == Self.digest(String(parts[4]))
    else { return nil }
    return RouteFileVersion(file: file, text: String(parts[4]), changed: changed)
  }

  /// Stores a version, replacing an earlier one.
  ///
  /// The file is written under a temporary name and renamed.
  ///
  /// - Returns: whether it is stored.
  @discardableResult
  public func keep(_ version: RouteFileVersion) -> Bool {
    guard !version.file.path.utf8.contains(UInt8(ascii: "\n")) else { return false }
    // The first time of the text stays, if only the owner or the mode has changed since.
    // Strings with the same normal form are equal, and another spelling of a URL is another URL.
    if let kept = self.version(of: version.file), kept.text.utf8.elementsEqual(version.text.utf8) {
      return true
    }
    guard makeDirectory() else { return false }
    let place = path(of: version.file)
    let temporary = "\(directory)/.new-\(String(UInt64.random(in: 0...UInt64.max), radix: 16))"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    let lines = [
      Self.header, version.file.path, "\(version.changed)", Self.digest(version.text), version.text,
    ]
    let isWritten = Self.write(lines.joined(separator: "\n"), to: file) && fsync(file) == 0
    guard close(file) == 0, isWritten, rename(temporary, place) == 0 else {
      unlink(temporary)
      return false
    }
    removeOldest(of: version.file.rank, but: place)
    return true
  }

  private func path(of file: RouteDirectory) -> String {
    "\(directory)/\(Self.name(of: file.rank))-\(Self.digest(file.path))"
  }

  private static func name(of rank: PolicyLayer) -> String {
    switch rank {
    case .finalAdministrator, .administrator: "administrator"
    case .user: "user"
    case .vendor, .cleaning: "vendor"
    }
  }

  private func makeDirectory() -> Bool {
    if let existing, access(existing, F_OK) != 0 { return false }
    var path = ""
    for part in directory.unicodeScalars.split(separator: "/").map({ String($0) }) {
      path += "/" + part
      guard mkdir(path, 0o700) == 0 || errno == EEXIST || access(path, F_OK) == 0 else { return false }
    }
    return true
  }

  /// Removes the oldest versions of a policy layer beyond the limits, and temporary files of earlier brokers.
  private func removeOldest(of rank: PolicyLayer, but newest: String) {
    guard let stream = opendir(directory) else { return }
    defer { closedir(stream) }
    var files: [(changed: Int, size: Int, path: String)] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      let path = "\(directory)/\(name)"
      var status = stat()
      guard path != newest, lstat(path, &status) == 0 else { continue }
      if name.hasPrefix(".new-"), status.st_mtim.tv_sec < time(nil) - 3_600 { unlink(path) }
      if name.hasPrefix(Self.name(of: rank) + "-") {
        files.append((status.st_mtim.tv_sec, Int(status.st_size), path))
      }
    }
    files.sort { ($0.changed, $0.path) > ($1.changed, $1.path) }
    var (count, bytes) = (1, 0)
    for file in files {
      (count, bytes) = (count + 1, bytes + file.size)
      if count > Self.mostFiles || bytes > Self.mostBytes { unlink(file.path) }
    }
  }

  private static func write(_ text: String, to file: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func content(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    // The limit is sufficient: a route file has at most 1 MiB, and its path 4 KiB.
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size < 2 << 20 else {
      return nil
    }
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while bytes.count < 2 << 20 {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Returns the 64-bit FNV-1a hash, which detects truncated files and is no protection against the user, who owns them.
  private static func digest(_ text: String) -> String {
    let digest = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(digest, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
