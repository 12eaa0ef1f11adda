import CSystemd
import Glibc

/// How a program ended.
public enum ExitStatus: Hashable, Sendable, CustomStringConvertible {
  /// It returned or called `exit`.
  case exited(Int32)
  /// A signal ended it.
  case signalled(Int32)

  /// Whether it ended with 0.
  public var isSuccess: Bool { self == .exited(0) }
  /// `exit status 7`, `signal 9 (Killed)`.
  public var description: String {
    switch self {
    case .exited(let code): "exit status \(code)"
    case .signalled(let number): "signal \(number) (\(String(cString: strsignal(number))))"
    }
  }
}

// @unchecked: `state` is used on the loop's thread alone, through `submit`.
/// A program we started; it is reaped by the loop as soon as it ends, whoever waits for it.
public final class ChildProcess: @unchecked Sendable {
  private enum State {
    case running([CheckedContinuation<ExitStatus?, Never>])
    case ended(ExitStatus?)
  }
  /// Its number and pidfd.
  public let handle: ProcessHandle
  private let loop: EventLoop
  private var state = State.running([])

  /// Starts `program` and watches it on `loop`.
  ///
  /// - Throws: `SystemdError` when it cannot be executed.
  public init(_ program: ProcessConfiguration, on loop: EventLoop) throws(SystemdError) {
    let pid = try program.spawn()
    guard let handle = ProcessHandle(pid: pid) else {
      // Without a pidfd nobody would reap it: out of descriptors, most likely.
      let code = errno
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
      throw SystemdError("watch \(program.executable)", code: code)
    }
    self.handle = handle
    self.loop = loop
    loop.submit { self.watch() }
  }

  /// How it ended; waits until it has.
  ///
  /// `nil` when somebody else in this process took the status (a `wait` for any child, ignored SIGCHLD).
  public func exitStatus() async -> ExitStatus? {
    await withCheckedContinuation { continuation in
      loop.submit {
        switch self.state {
        case .ended(let status): continuation.resume(returning: status)
        case .running(let waiters): self.state = .running(waiters + [continuation])
        }
      }
    }
  }

  private func watch() {
    let box = SourceBox()
    box.source = try? EventSource.readable(loop, handle.descriptor) {
      self.reap { status in
        box.source?.cancel()
        self.end(status)
      }
    }
    // Not watchable means out of kernel memory; the status is unknown then and nobody must hang.
    if box.source == nil { end(nil) }
  }

  /// Calls `ended` when the process has.
  private func reap(_ ended: (ExitStatus?) -> Void) {
    var code: Int32 = 0
    var status: Int32 = 0
    guard usher_wait_pidfd(handle.descriptor, WNOHANG, &code, &status) == 0 else { return ended(nil) }
    switch code {
    case 0: return
    case Int32(CLD_EXITED): ended(.exited(status))
    default: ended(.signalled(status))
    }
  }

  private func end(_ status: ExitStatus?) {
    guard case .running(let waiters) = state else { return }
    state = .ended(status)
    for waiter in waiters { waiter.resume(returning: status) }
  }
}

/// Holds a source that its own handler cancels.
private final class SourceBox {
  var source: EventSource?
}
