import CSystemd
import Glibc

/// A program to start: exactly these arguments and this environment, in a session of its own.
///
/// The program gets default signal handling, `/dev/null` (or `input`) as its input, our output (or `output`) and error,
/// and no other descriptor of ours. No shell is involved.
public struct ProcessConfiguration: Hashable, Sendable {
  /// The absolute path of the program.
  public var executable: String
  /// `argv`, the program's own name first; each argument is any bytes but NUL.
  public var arguments: [[UInt8]]
  /// The whole environment.
  public var environment: [String: String]
  /// Where it starts, or `nil` for our own directory.
  public var workingDirectory: String?
  /// The descriptor that becomes its standard input, or `nil` for `/dev/null`.
  public var input: Int32?
  /// The descriptor that becomes its standard output, or `nil` for our own standard output.
  public var output: Int32?
  /// Whether nobody reads its standard error, which is ours otherwise.
  public var isMute = false

  /// A program with its arguments; `arguments[0]` is its name.
  public init(
    executable: String, arguments: [String], environment: [String: String], workingDirectory: String? = nil
  ) {
    self.init(
      executable: executable, arguments: arguments.map { Array($0.utf8) }, environment: environment,
      workingDirectory: workingDirectory)
  }

  /// A program with its arguments, which need not be UTF-8; `arguments[0]` is its name.
  public init(
    executable: String, arguments: [[UInt8]], environment: [String: String], workingDirectory: String? = nil
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.workingDirectory = workingDirectory
  }

  /// Starts it and returns its process number; the caller has to reap it or end before it.
  ///
  /// - Throws: `SystemdError` when it cannot be executed: missing, no permission, arguments too long.
  public func spawn() throws(SystemdError) -> Int32 {
    let operation = "start \(executable)"
    let variables = environment.map { Array("\($0.key)=\($0.value)".utf8) }
    let paths = [executable, workingDirectory ?? ""].map { Array($0.utf8) }
    for bytes in paths + arguments + variables where bytes.contains(0) {
      throw SystemdError(operation, code: EINVAL)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    if isMute { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
    usher_spawn_close_from(&actions, 3)
    if let workingDirectory { usher_spawn_change_directory(&actions, workingDirectory) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, usher_spawn_flags)

    var pid: pid_t = 0
    let failed = withCStrings(arguments) { argv in
      withCStrings(variables) { envp in
        posix_spawn(&pid, executable, &actions, &attributes, argv, envp)
      }
    }
    if let workingDirectory, failed != 0, access(workingDirectory, X_OK) != 0 {
      throw SystemdError("enter \(workingDirectory) to \(operation)", code: errno)
    }
    guard failed == 0 else { throw SystemdError(operation, code: failed) }
    return pid
  }
}

/// Calls `body` with a NULL-terminated array of copies of `strings`.
private func withCStrings(
  _ strings: [[UInt8]], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32
) -> Int32 {
  let copies =
    strings.map { bytes in
      (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
        $0.baseAddress.flatMap { strdup($0) }
      }
    } + [nil]
  defer { for copy in copies { free(copy) } }
  return copies.withUnsafeBufferPointer { buffer in buffer.baseAddress.map(body) ?? EINVAL }
}
