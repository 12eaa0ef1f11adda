// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// The exit status of a program.
public enum ExitStatus: Hashable, Sendable, CustomStringConvertible {
  /// It returned from `main` or called `exit`, with this code.
  case exited(Int32)
  /// A signal with this number terminated it.
  case signalled(Int32)

  /// Indicates whether it exited with 0.
  public var isSuccess: Bool { self == .exited(0) }
  /// The status in a sentence: `exit status 7` or `signal 9 (Killed)`.
  public var description: String {
    switch self {
    case .exited(let code): "exit status \(code)"
    case .signalled(let number): "signal \(number) (\(String(cString: strsignal(number))))"
    }
  }
}

// @unchecked: `state` is used only on the loop's thread, through `submit`.
/// A child process, which the loop reaps as soon as it exits, even if no task waits for it.
public final class ChildProcess: @unchecked Sendable {
  private enum State {
    case running([CheckedContinuation<ExitStatus?, Never>])
    case ended(ExitStatus?)
  }
  /// The process ID and pidfd.
  public let handle: ProcessHandle
  private let loop: EventLoop
  private var state = State.running([])

  /// Starts `program` and watches it on `loop`.
  ///
  /// - Throws: `SystemdError` if it cannot be executed.
  public init(_ program: ProcessConfiguration, on loop: EventLoop) throws(SystemdError) {
    handle = try program.spawnWithHandle()
    self.loop = loop
    loop.submit { self.watch() }
  }

  /// Waits until the process exits, and returns its status.
  ///
  /// `nil` if other code in this process has reaped it (a `wait` for any child, or an ignored SIGCHLD).
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
    box.source = try? EventSource.readable(loop, descriptor: handle.descriptor) {
      self.reap { status in
        box.source?.cancel()
        self.end(status)
      }
    }
    // It is not watchable if the kernel has no memory. The status is unknown then, and no task may wait for ever.
    if box.source == nil { end(nil) }
  }

  /// Calls `ended` if the process has exited.
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

/// A reference to a source that its own handler cancels.
private final class SourceBox {
  var source: EventSource?
}
