// SPDX-License-Identifier: Apache-2.0
/// Checks that only root can change what a path leads to: the file, the directories above it, and each symbolic link on the path.
///
/// ```swift
/// RootProtection(LocalFiles()).weakness(of: "/usr/share/applications/firefox.desktop")   // nil
/// RootProtection(LocalFiles()).weakness(of: "/home/me/bin/firefox")                      // "/home/me belongs to user 1000"
/// ```
public struct RootProtection: Sendable {
  /// A file or directory that other users than root can change, or that cannot be examined.
  private struct Weakness {
    /// The sentence about it, which names the path.
    let reason: String
    /// The path; empty if there is none.
    var path = ""
    /// The shell command that makes it root's; `nil` if none does.
    var command: String?

    init(_ reason: String, at path: String = "", command: String? = nil) {
      (self.reason, self.path, self.command) = (reason, path, command)
    }
  }

  private let files: any FileReading

  /// Creates a check that reads `files`.
  public init(_ files: some FileReading = LocalFiles()) { self.files = files }

  /// Returns the reason for which other users than root can change the target of `path`; `nil` if only root can.
  ///
  /// The reason is a sentence that names the file or directory. A failed lookup counts as a weakness.
  public func weakness(of path: String) -> String? {
    weakness(of: path, allowingFilesOfOthers: true, devicesOfPrograms)?.reason
  }

  /// Returns the reason for which ``onlyRootCanWrite(_:)`` is `false`, and the shell command that removes the reason; `nil` if it is `true`.
  ///
  /// The command is `nil` if the owner and the mode are not the cause, and for directories outside of `directory`, such as the home directory of
  /// a user, which must not become root's.
  public func correction(of path: String, in directory: String) -> (reason: String, command: String?)? {
    guard let found = weakness(of: path, allowingFilesOfOthers: false, devicesOfPrograms) else { return nil }
    let isInside = found.path == directory || found.path.hasPrefix(directory + "/")
    return (found.reason, isInside ? found.command : nil)
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
  ) -> Weakness? {
    guard path.hasPrefix("/") else { return Weakness("\(path) is not an absolute path") }
    guard let programs else { return Weakness("the mounted file systems cannot be listed") }
    guard let root = files.ownership(of: "/") else { return Weakness("/ cannot be examined") }
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
      guard let directory = directories.last else { return Weakness("\(path) does not exist") }
      let next = "\(directory.path)/\(name)"
      guard let found = files.ownership(of: next) else { return Weakness("\(next) cannot be examined") }
      if let weakness = Self.weakness(of: found, at: next, in: directory.ownership, programs) {
        return weakness
      }
      switch found.kind {
      case .directory: directories.append((next, found))
      case .file:
        guard pending.isEmpty else { return Weakness("\(next) is not a directory") }
        return nil
      case .link(let target):
        links += 1
        guard links <= Self.maximumLinks else { return Weakness("\(path) has too many symbolic links") }
        if target.hasPrefix("/") { directories.removeSubrange(1...) }
        pending += Self.components(target)
      }
    }
    guard !allowingFilesOfOthers, directories.last?.ownership.isWritableByOthers == true else { return nil }
    return Weakness(
      "users other than root can create files in \(path)", at: path,
      command: "chmod go-w \(ShellWord.quoted(path))")
  }

  private static let maximumLinks = 40

  /// Returns the names in a path in reverse order.
  private static func components(_ path: String) -> [String] {
    path.unicodeScalars.split(separator: "/").map { String($0) }.filter { $0 != "." }.reversed()
  }

  private static func weakness(
    of found: FileOwnership, at path: String, in directory: FileOwnership?, _ programs: Set<UInt64>
  ) -> Weakness? {
    let word = ShellWord.quoted(path)
    // The owners in such a file system are whatever its program reports.
    let isOfProgram = programs.contains(found.device)
    var (owning, closing): (String?, String?)
    switch found.kind {
    // The mode of a symbolic link has no meaning.
    case .link: owning = "chown -h root \(word)"
    case .directory, .file:
      owning = "chown root \(word)"
      let isOpen = found.isWritableByOthers && (found.kind == .file || !found.isSticky)
      closing = isOpen ? "chmod go-w \(word)" : nil
    }
    if found.userID != 0 {
      let command = [owning, closing].compactMap { $0 }.joined(separator: " && ")
      return Weakness(
        "\(path) belongs to user \(found.userID)", at: path, command: isOfProgram ? nil : command)
    }
    if isOfProgram { return Weakness("\(path) is on a file system in user space (FUSE)", at: path) }
    if let closing {
      return Weakness("\(path) can be written by users other than root", at: path, command: closing)
    }
    if case .link = found.kind { return nil }
    // Users may mount on their own files in such a directory, and then the mount looks like root's.
    if let directory, directory.isWritableByOthers, directory.device != found.device {
      return Weakness("\(path) is mounted in a directory that users other than root can write", at: path)
    }
    return nil
  }

  /// The device numbers of the mounted file systems that programs serve; `nil` if they cannot be listed.
  private var devicesOfPrograms: Set<UInt64>? {
    guard case .bytes(let bytes) = files.read("/proc/self/mountinfo") else { return nil }
    var devices: Set<UInt64> = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // The first single dash precedes the type. A later one is the source, which the user who mounts may choose.
      let fields = line.split(separator: UInt8(ascii: " "))
      guard let dash = fields.dropFirst(3).firstIndex(where: { $0.elementsEqual("-".utf8) }),
        fields.indices.contains(dash + 1), fields[dash + 1].starts(with: "fuse".utf8)
      else { continue }
      let numbers = fields[2].split(separator: UInt8(ascii: ":")).compactMap {
        UInt64(String(decoding: $0, as: UTF8.self))
      }
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
