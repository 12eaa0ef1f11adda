// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// The configuration of a program to start: its exact arguments and environment, in its own session.
///
/// The program has default signal handling, `/dev/null` (or `input`) as its input, the output (or `output`) and error
/// output (or `errorOutput`) of this process, and no other descriptor. No shell is involved.
public struct ProcessConfiguration: Hashable, Sendable {
  /// The absolute path of the program.
  public var executable: String
  /// `argv`, starting with the program's own name; each argument is any bytes except NUL.
  public var arguments: [[UInt8]]
  /// The complete environment; a variable of this process that is not UTF-8 is passed on unchanged.
  public var environment: [String: String]
  /// The working directory; `nil` for that of this process.
  public var workingDirectory: String?
  /// The descriptor that becomes its standard input; `nil` for `/dev/null`.
  public var input: Int32?
  /// The descriptor that becomes its standard output; `nil` for that of this process.
  public var output: Int32?
  /// The descriptor that becomes its standard error; `nil` for that of this process.
  public var errorOutput: Int32?
  /// Indicates whether its standard error is discarded, whatever `errorOutput` is.
  public var isMute = false

  /// Indicates whether the program stays in the session of this process and has its input, so that it can ask the user at the terminal.
  public var sharesTerminal = false

  /// Indicates whether the kernel ends the program, with ``endingSignal``, when the thread that starts it exits, even by `SIGKILL`.
  ///
  /// The program is then started on a thread that exists as long as this process, such as that of an ``EventLoop``. Its
  /// children are not affected: see ``ProcessGuard``.
  public var isBoundToThread = false
  /// The signal that a program receives when the thread to which it is bound exits.
  public var endingSignal = SIGKILL

  /// Creates the configuration of a program with its arguments; `arguments[0]` is its name.
  public init(
    executable: String, arguments: [String], environment: [String: String], workingDirectory: String? = nil
  ) {
    self.init(
      executable: executable, arguments: arguments.map { Array($0.utf8) }, environment: environment,
      workingDirectory: workingDirectory)
  }

  /// Creates the configuration of a program with arguments that need not be UTF-8; `arguments[0]` is its name.
  public init(
    executable: String, arguments: [[UInt8]], environment: [String: String], workingDirectory: String? = nil
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.workingDirectory = workingDirectory
  }

  /// Starts the program and returns a handle of the process, which the caller must reap.
  ///
  /// - Throws: `SystemdError` if it cannot be executed, or if no descriptor is free for the handle; no process is left then.
  func spawnWithHandle() throws(SystemdError) -> ProcessHandle {
    let pid = try spawn()
    guard let handle = ProcessHandle(pid: pid) else {
      // Without a pidfd the process would never be reaped.
      let code = errno
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
      throw SystemdError("watch \(executable)", code: code)
    }
    return handle
  }

  /// Starts the program and returns its process ID; the caller must reap it, or exit before it.
  ///
  /// - Throws: `SystemdError` if it cannot be executed: it is missing, not permitted, or its arguments are too long.
  public func spawn() throws(SystemdError) -> Int32 {
    let operation = "start \(executable)"
    let variables = ProcessEnvironment.entries(of: environment)
    let paths = [executable, workingDirectory ?? ""].map { Array($0.utf8) }
    for bytes in paths + arguments + variables where bytes.contains(0) {
      throw SystemdError(operation, code: EINVAL)
    }
    if isBoundToThread || OpenFilesLimit.forPrograms != 0 { return try spawnByFork(variables) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else if !sharesTerminal {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    if let errorOutput { posix_spawn_file_actions_adddup2(&actions, errorOutput, STDERR_FILENO) }
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
    posix_spawnattr_setflags(&attributes, sharesTerminal ? usher_spawn_flags_in_session : usher_spawn_flags)

    var pid: pid_t = 0
    let failed = withCStrings(arguments) { argv in
      withCStrings(variables) { envp in
        posix_spawn(&pid, executable, &actions, &attributes, argv, envp)
      }
    }
    return try started(pid, failed)
  }

  /// Starts the program bound to this thread, or with another limit on open files, which `posix_spawn` cannot arrange.
  private func spawnByFork(_ variables: [[UInt8]]) throws(SystemdError) -> Int32 {
    var pid: pid_t = 0
    let failed = withCStrings(arguments) { argv in
      withCStrings(variables) { envp in
        usher_spawn_by_fork(
          executable, argv, envp, workingDirectory, input ?? -1, output ?? -1, errorOutput ?? -1,
          isMute ? 1 : 0, sharesTerminal ? 1 : 0, isBoundToThread ? endingSignal : 0,
          OpenFilesLimit.forPrograms, &pid)
      }
    }
    return try started(pid, failed)
  }

  /// Returns the process ID, or throws if starting the program failed with an error number.
  private func started(_ pid: pid_t, _ failed: Int32) throws(SystemdError) -> Int32 {
    let operation = "start \(executable)"
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
