// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// An open directory of one process below `/proc`.
///
/// Its content is always about this one process, and is unreadable after the process has exited, even if its ID is
/// reused. The identity of the process must be established by a `ProcessHandle` that was alive before and after.
public final class ProcDirectory: Sendable {
  /// The outcome of reading a file of the process.
  public enum RootFile: Hashable, Sendable {
    /// The content of the file.
    case bytes([UInt8])
    /// The root or the directory is accessible and has no such file.
    case missing
    /// The file cannot be read, or the root is inaccessible, so that its content is unknown.
    case unreadable
  }

  private let descriptor: Int32
  /// The maximum size in bytes of a file that the kernel generates.
  private static let mostText = 64 << 10

  /// Opens the directory of the process with this ID below `tree`; `nil` if there is none.
  public init?(of pid: Int32, below tree: String = "/proc") {
    let descriptor = open("\(tree)/\(pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Returns the text of a kernel file, such as `cgroup`; `nil` if it cannot be read.
  public func text(of name: String) -> String? {
    guard case .bytes(let bytes) = content(of: name) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads a kernel file, such as `cgroup`, with at most 64 KiB.
  ///
  /// It is missing if the kernel has no such file, or the process has exited.
  public func content(of name: String) -> RootFile { read(name, in: descriptor, upTo: Self.mostText) }

  /// The start time of the process in clock ticks since boot (proc(5), `stat`, field 22); `nil` if it cannot be read.
  public var startTime: UInt64? { state(22).flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } }

  /// Indicates whether a signal has stopped the process (proc(5), `stat`, field 3).
  public var isStopped: Bool { state(3)?.elementsEqual("T".utf8) == true }

  /// Indicates whether a signal has stopped a process that has no controlling terminal (proc(5), `stat`, fields 3 and 7).
  ///
  /// This excludes processes that a debugger traces, or that Ctrl-Z stopped.
  public var isStoppedInBackground: Bool { isStopped && state(7)?.elementsEqual("0".utf8) == true }

  /// The name of its program or script without the directory, at most 15 bytes (proc(5), `comm`); `nil` if it cannot be read.
  ///
  /// Unlike its command line, it is not in the memory of the process, which may be on a file system that hangs.
  public var commandName: String? {
    text(of: "comm").map { String($0.hasSuffix("\n") ? $0.dropLast() : $0[...]) }
  }

  /// Returns a field of `stat`, numbered as in proc(5) and greater than 2; `nil` if it cannot be read.
  private func state(_ number: Int) -> ArraySlice<UInt8>? {
    // The name, field 2, is in parentheses and may contain any characters.
    guard case .bytes(let bytes) = content(of: "stat"), let name = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = bytes[(name + 1)...].split(separator: UInt8(ascii: " "), maxSplits: number - 2)
    return fields.count > number - 3 ? fields[number - 3] : nil
  }

  /// The current time in clock ticks since boot, as in `startTime`.
  public static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    let ticks = UInt64(clamping: sysconf(Int32(_SC_CLK_TCK)))
    return UInt64(clamping: time.tv_sec) * ticks + UInt64(clamping: time.tv_nsec) * ticks / 1_000_000_000
  }

  /// The path of the program that this process executes.
  public static var ownProgram: String? { ProcDirectory(of: getpid())?.program?.path }

  /// The path of its program, as the process itself sees it, and the identity of that file; `nil` if it cannot be read.
  public var program: (path: String, file: FileIdentity)? {
    guard let path = link("exe"), let file = FileIdentity("exe", in: descriptor) else { return nil }
    return (path, file)
  }

  // Cached, because neither changes while this process runs.
  private static let ourRoot = FileIdentity(path: "/")
  private static let ourUserNamespace = link("/proc/self/ns/user", in: AT_FDCWD)
  private static let ourProcessNamespace = link("/proc/self/ns/pid", in: AT_FDCWD)
  private static let ourMountNamespace = link("/proc/self/ns/mnt", in: AT_FDCWD)

  /// Indicates whether its root is that of this process; `nil` if it cannot be determined.
  public var hasOurRoot: Bool? {
    guard let its = FileIdentity("root", in: descriptor), let ours = Self.ourRoot else {
      return nil
    }
    return its == ours
  }

  /// Indicates whether it is in the user namespace of this process; `nil` if it cannot be determined.
  public var isInOurUserNamespace: Bool? {
    guard let its = link("ns/user"), let ours = Self.ourUserNamespace else { return nil }
    return its == ours
  }

  /// Indicates whether it is in the process-ID namespace of this process; `nil` if it cannot be determined.
  public var isInOurProcessNamespace: Bool? { isOurs("ns/pid", Self.ourProcessNamespace) }

  /// Indicates whether it is in the mount namespace of this process; `nil` if it cannot be determined.
  public var isInOurMountNamespace: Bool? { isOurs("ns/mnt", Self.ourMountNamespace) }

  /// Returns whether a namespace is that of this process; a kernel without this kind of namespace has only one.
  private func isOurs(_ name: String, _ ours: String?) -> Bool? {
    guard let ours else { return true }
    return link(name).map { $0 == ours }
  }

  /// Reads a regular file below the process's own root, with at most `limit` bytes.
  ///
  /// No symbolic link is followed, because an absolute one would lead into this process's root.
  ///
  /// That root may be a file system of the process itself, which may hang, so do not call it on the event loop's
  /// thread.
  public func fileInRoot(_ name: String, upTo limit: Int) -> RootFile {
    let flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    var directory = openat(descriptor, "root", flags)
    let names = name.unicodeScalars.split(separator: "/")
    for name in names.dropLast() where directory >= 0 {
      let next = openat(directory, String(name), flags | O_NOFOLLOW)
      let isMissing = next < 0 && errno == ENOENT
      close(directory)
      if isMissing { return .missing }
      directory = next
    }
    guard directory >= 0, let last = names.last else { return .unreadable }
    defer { close(directory) }
    return read(String(last), in: directory, upTo: limit)
  }

  /// Returns the kernel's information about a descriptor of this process.
  static func ownDescriptor(_ descriptor: Int32) -> RootFile? {
    ProcDirectory(of: getpid())?.content(of: "fdinfo/\(descriptor)")
  }

  /// The variables with which the process was started; `nil` if they cannot be read, or are longer than 256 KiB.
  ///
  /// They are in the memory of the process, which may be on a file system that hangs, so do not call it on the event
  /// loop's thread. Variables that are not UTF-8 are omitted.
  public var environment: [String: String]? {
    guard case .bytes(let bytes) = read("environ", in: descriptor, upTo: 256 << 10) else { return nil }
    var variables: [String: String] = [:]
    for entry in bytes.split(separator: 0) {
      guard let equals = entry.firstIndex(of: UInt8(ascii: "=")),
        let name = String(validating: entry[..<equals], as: UTF8.self),
        let value = String(validating: entry[(equals + 1)...], as: UTF8.self)
      else { continue }
      // The first of several is the one that getenv(3) returns.
      if variables[name] == nil { variables[name] = value }
    }
    return variables
  }

  private func read(_ name: String, in directory: Int32, upTo limit: Int) -> RootFile {
    let file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard file >= 0 else { return errno == ENOENT ? .missing : .unreadable }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .unreadable }
    var bytes: [UInt8] = []
    while bytes.count <= limit {
      var failed = false
      let chunk = [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
        var got = Glibc.read(file, buffer.baseAddress, buffer.count)
        while got < 0, errno == EINTR { got = Glibc.read(file, buffer.baseAddress, buffer.count) }
        failed = got < 0
        count = max(got, 0)
      }
      guard !failed else { return .unreadable }
      guard !chunk.isEmpty else { return .bytes(bytes) }
      bytes += chunk
    }
    return .unreadable
  }

  private func link(_ name: String) -> String? { Self.link(name, in: descriptor) }

  private static func link(_ name: String, in directory: Int32) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = buffer.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        characters.baseAddress.map { readlinkat(directory, name, $0, characters.count) } ?? -1
      }
    }
    guard length > 0, length < buffer.count else { return nil }
    return String(validating: buffer[..<length], as: UTF8.self)
  }
}
