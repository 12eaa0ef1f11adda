import CSystemd
import Glibc

/// What the kernel says of one process: its folder below `/proc`, held open.
///
/// What is read through it is about this very process, or cannot be read once that has ended, whoever has its number
/// by then. Which process it is must be known from a `ProcessHandle` that was alive before and after.
public final class ProcDirectory: Sendable {
  /// What became of reading a file of the process's own root.
  public enum RootFile: Hashable, Sendable {
    /// Its content.
    case bytes([UInt8])
    /// The root is there and has no such file.
    case missing
    /// Something is there, or the root cannot be looked into: nobody can say what the process sees.
    case unreadable
  }

  private let descriptor: Int32
  /// The most that is read of what the kernel itself writes.
  private static let mostText = 64 << 10

  /// The folder of the process with this number below `tree`; `nil` where there is none.
  public init?(of pid: Int32, below tree: String = "/proc") {
    let descriptor = open("\(tree)/\(pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// What one of the kernel's own files says, as `cgroup`.
  public func text(of name: String) -> String? {
    guard case .bytes(let bytes) = content(of: name) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// When the process began, in the kernel's ticks since the machine started (proc(5), `stat`, field 22).
  public var startTime: UInt64? { state(22).flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } }

  /// Whether a signal has stopped it (proc(5), `stat`, field 3).
  public var isStopped: Bool { state(3)?.elementsEqual("T".utf8) == true }

  /// Whether a signal has stopped it that came neither from a debugger nor, as Ctrl-Z does, from a terminal (proc(5),
  /// `stat`, fields 3 and 7).
  public var isStoppedInBackground: Bool { isStopped && state(7)?.elementsEqual("0".utf8) == true }

  /// A field of `stat`, counted as proc(5) does, of those behind the second one.
  private func state(_ number: Int) -> ArraySlice<UInt8>? {
    // The name, field 2, is in parentheses and may hold anything.
    guard case .bytes(let bytes) = content(of: "stat"), let name = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = bytes[(name + 1)...].split(separator: UInt8(ascii: " "), maxSplits: number - 2)
    return fields.count > number - 3 ? fields[number - 3] : nil
  }

  /// How many of the ticks of `startTime` have passed since the machine started.
  public static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    let ticks = UInt64(clamping: sysconf(Int32(_SC_CLK_TCK)))
    return UInt64(clamping: time.tv_sec) * ticks + UInt64(clamping: time.tv_nsec) * ticks / 1_000_000_000
  }

  /// The path of the program that this process runs.
  public static var ownProgram: String? { ProcDirectory(of: getpid())?.program?.path }

  /// The path of its program, as the process itself sees it, and which file that is.
  public var program: (path: String, file: FileIdentity)? {
    guard let path = link("exe"), let file = FileIdentity("exe", in: descriptor) else { return nil }
    return (path, file)
  }

  // Neither changes while we run.
  private static let ourRoot = FileIdentity(path: "/")
  private static let ourUserNamespace = link("/proc/self/ns/user", in: AT_FDCWD)

  /// Whether its root is ours; `nil` when that cannot be told.
  public var hasOurRoot: Bool? {
    guard let its = FileIdentity("root", in: descriptor), let ours = Self.ourRoot else {
      return nil
    }
    return its == ours
  }

  /// Whether it is in our user namespace; `nil` when that cannot be told.
  public var isInOurUserNamespace: Bool? {
    guard let its = link("ns/user"), let ours = Self.ourUserNamespace else { return nil }
    return its == ours
  }

  /// A regular file right in the process's own root, of at most `limit` bytes; a link there is not followed.
  ///
  /// That root may be a file system of the process's own, which may hang: not for the event loop's thread.
  public func fileInRoot(_ name: String, upTo limit: Int) -> RootFile {
    let root = openat(descriptor, "root", O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard root >= 0 else { return .unreadable }
    defer { close(root) }
    return read(name, in: root, upTo: limit)
  }

  /// What the kernel says of one of our own descriptors.
  static func ownDescriptor(_ descriptor: Int32) -> RootFile? {
    ProcDirectory(of: getpid())?.content(of: "fdinfo/\(descriptor)")
  }

  private func content(of name: String) -> RootFile { read(name, in: descriptor, upTo: Self.mostText) }

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
