// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The reason why execve(2) fails for a program, as a sentence.
///
/// systemd reports every such failure as exit status 203 without `errno`. The reason is then derived from the program's
/// file and the length of its arguments.
struct ExecFailure: Hashable {
  /// `argv` and `envp` without their terminating NULs.
  private let arguments: [[UInt8]]
  private let environment: [String]
  private let path: String

  /// Creates the failure of the program at `path` with `arguments`, in an environment of `NAME=VALUE` entries.
  init(path: String, arguments: [[UInt8]], environment: [String]) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
  }

  /// Returns the reason for an `errno` of the kernel.
  func reason(_ code: Int32) -> String {
    switch code {
    case E2BIG: return tooLong
    case ENOENT, ENOTDIR:
      guard access(path, F_OK) == 0 else { return "it is missing" }
      guard let interpreter else { return "its dynamic loader is missing" }
      // The name may end with the carriage return of a DOS line end.
      return "its interpreter \(Self.visible(interpreter)) is missing"
    case EACCES:
      if let interpreter, access(path, X_OK) == 0, access(interpreter, X_OK) != 0 {
        return "its interpreter \(Self.visible(interpreter)) is not executable"
      }
      return "it is not executable"
    case ENOEXEC: return "it is neither a program nor a script with an interpreter line (#!)"
    default: return String(cString: strerror(code))
    }
  }

  /// The reason if the `errno` is not known; `nil` if none can be found.
  ///
  /// It blocks on a disk that does not respond.
  var visibleReason: String? { visibleCode.map(reason) }

  // The checks are in the order of the kernel's.
  private var visibleCode: Int32? {
    if let code = Self.fault(of: path) { return code }
    if longest > Self.maximumArgument || total > Self.maximumTotal { return E2BIG }
    guard let start = firstBytes(4) else { return nil }
    if let interpreter { return Self.fault(of: interpreter) }
    return start == [0x7F] + Array("ELF".utf8) ? nil : ENOEXEC
  }

  private static func fault(of path: String) -> Int32? {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno }
    guard status.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 else { return EACCES }
    return nil
  }

  private var tooLong: String {
    guard longest > Self.maximumArgument else {
      return """
        its command line and environment have \(total) bytes, but the limit of Linux is \(Self.maximumTotal); open fewer \
        links at a time
        """
    }
    guard arguments.contains(where: { $0.count > Self.maximumArgument }) else {
      return
        "a variable of its environment has \(longest) bytes, but the limit of Linux is \(Self.maximumArgument)"
    }
    return """
      an argument has \(longest) bytes, but the limit of Linux is \(Self.maximumArgument); only an application that \
      accepts links over D-Bus can receive a longer link
      """
  }

  private var longest: Int { (arguments.map(\.count) + environment.map(\.utf8.count)).max() ?? 0 }

  /// The size that execve(2) counts: each string with its NUL, and the pointer to it.
  private var total: Int {
    (arguments.map(\.count) + environment.map(\.utf8.count)).reduce(0) {
      $0 + $1 + 1 + MemoryLayout<UnsafeRawPointer>.size
    }
  }

  /// The maximum length of an argument without its NUL: `MAX_ARG_STRLEN`, 32 pages.
  ///
  /// See execve(2), "Limits on size of arguments and environment".
  static let maximumArgument = 32 * max(4_096, sysconf(Int32(_SC_PAGESIZE))) - 1

  /// The maximum total size: a quarter of the stack limit, at least 128 KiB and at most 6 MiB.
  static var maximumTotal: Int { max(128 << 10, min(sysconf(Int32(_SC_ARG_MAX)), 6 << 20)) }

  /// The interpreter in the first line of a script; `nil` for other files.
  private var interpreter: String? {
    guard let start = firstBytes(256), start.starts(with: "#!".utf8) else { return nil }
    let line = start.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
    let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == 0 }
    return words.first.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func visible(_ text: String) -> String {
    text.unicodeScalars.map { $0.value < 0x20 ? $0.escaped(asASCII: true) : String($0) }.joined()
  }

  private func firstBytes(_ count: Int) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    let length = read(file, &bytes, count)
    return length < 0 ? nil : Array(bytes.prefix(length))
  }
}
