// SPDX-License-Identifier: Apache-2.0
/// Checks that only root can change what a path leads to: the file, the directories above it, and each symbolic link on the path.
///
/// ```swift
/// RootProtection(LocalFiles()).weakness(of: "/usr/share/applications/firefox.desktop")   // nil
/// RootProtection(LocalFiles()).weakness(of: "/home/me/bin/firefox")                      // "/home/me belongs to user 1000"
/// ```
public struct RootProtection: Sendable {
  private let files: any FileReading

  /// Creates a check that reads `files`.
  public init(_ files: some FileReading = LocalFiles()) { self.files = files }

  /// Returns the reason for which other users than root can change the target of `path`; `nil` if only root can.
  ///
  /// The reason is a sentence that names the file or directory. A failed lookup counts as a weakness.
  public func weakness(of path: String) -> String? {
    weakness(of: path, allowingFilesOfOthers: true, devicesOfPrograms)
  }

  /// Returns whether only root can change what `path` leads to and, if that is a directory, create files in it.
  ///
  /// Unlike ``weakness(of:)``, it returns `false` for a sticky directory in which all users can create files.
  public func onlyRootCanWrite(_ path: String) -> Bool {
    weakness(of: path, allowingFilesOfOthers: false, devicesOfPrograms) == nil
  }

  /// Returns ``onlyRootCanWrite(_:)`` as a function for many paths, for which the mounted file systems are listed once.
  public func onlyRootCanWriteNow() -> (_ path: String) -> Bool {
    let programs = devicesOfPrograms
    return { weakness(of: $0, allowingFilesOfOthers: false, programs) == nil }
  }

  private func weakness(
    of path: String, allowingFilesOfOthers: Bool, _ programs: Set<UInt64>?
  ) -> String? {
    guard path.hasPrefix("/") else { return "\(path) is not an absolute path" }
    guard let programs else { return "the mounted file systems cannot be listed" }
    guard let root = files.ownership(of: "/") else { return "/ cannot be examined" }
    if let weakness = Self.weakness(of: root, at: "/", in: nil, programs) { return weakness }
    /// The directories above the next component, starting with the root, without symbolic links.
    var directories = [(path: "", ownership: root)]
    var pending = Self.components(path)
    var links = 0
    while let name = pending.popLast() {
      guard name != ".." else {
        if directories.count > 1 { directories.removeLast() }
        continue
      }
      guard let directory = directories.last else { return "\(path) does not exist" }
      let next = "\(directory.path)/\(name)"
      guard let found = files.ownership(of: next) else { return "\(next) cannot be examined" }
      if let weakness = Self.weakness(of: found, at: next, in: directory.ownership, programs) {
        return weakness
      }
      switch found.kind {
      case .directory: directories.append((next, found))
      case .file:
        guard pending.isEmpty else { return "\(next) is not a directory" }
        return nil
      case .link(let target):
        links += 1
        guard links <= Self.maximumLinks else { return "\(path) has too many symbolic links" }
        if target.hasPrefix("/") { directories.removeSubrange(1...) }
        pending += Self.components(target)
      }
    }
    guard !allowingFilesOfOthers, directories.last?.ownership.isWritableByOthers == true else { return nil }
    return "users other than root can create files in \(path)"
  }

  private static let maximumLinks = 40

  /// Returns the names in a path in reverse order.
  private static func components(_ path: String) -> [String] {
    path.split(separator: "/").map(String.init).filter { $0 != "." }.reversed()
  }

  private static func weakness(
    of found: FileOwnership, at path: String, in directory: FileOwnership?, _ programs: Set<UInt64>
  ) -> String? {
    if found.userID != 0 { return "\(path) belongs to user \(found.userID)" }
    // The owners in such a file system are whatever its program reports.
    if programs.contains(found.device) { return "\(path) is on a file system in user space (FUSE)" }
    switch found.kind {
    // The mode of a symbolic link has no meaning.
    case .link: return nil
    case .directory where found.isWritableByOthers && !found.isSticky, .file where found.isWritableByOthers:
      return "\(path) can be written by users other than root"
    case .directory, .file: break
    }
    // Users may mount on their own files in such a directory, and then the mount looks like root's.
    if let directory, directory.isWritableByOthers, directory.device != found.device {
      return "\(path) is mounted in a directory that users other than root can write"
    }
    return nil
  }

  /// The device numbers of the mounted file systems that programs serve; `nil` if they cannot be listed.
  private var devicesOfPrograms: Set<UInt64>? {
    guard case .bytes(let bytes) = files.read("/proc/self/mountinfo") else { return nil }
    var devices: Set<UInt64> = []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard let dash = fields.lastIndex(of: "-"), fields.indices.contains(dash + 1),
        fields[dash + 1].hasPrefix("fuse")
      else { continue }
      let numbers = fields[2].split(separator: ":").compactMap { UInt64($0) }
      guard numbers.count == 2 else { return nil }
      devices.insert(Self.device(major: numbers[0], minor: numbers[1]))
    }
    return devices
  }

  /// Returns a device number in the encoding of stat(2).
  static func device(major: UInt64, minor: UInt64) -> UInt64 {
    (major & 0xfff) << 8 | (major & ~0xfff) << 32 | minor & 0xff | (minor & ~0xff) << 12
  }
}
