// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc
import Synchronization

extension ProcessHandle {
  /// The descriptor of the process that the signal handler resumes; -1 while no function waits for one.
  private static let resumed = Atomic<Int32>(-1)

  /// Calls `body`, and resumes the process with SIGCONT if SIGINT, SIGTERM, SIGHUP, SIGQUIT or SIGPIPE ends the current process meanwhile.
  ///
  /// A signal that is ignored, or that a ``SignalDescriptor`` receives, does not end the current process. For one process at a time.
  package func resumingAtSignals<Value, Failure>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    Self.resumed.store(descriptor, ordering: .sequentiallyConsistent)
    let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE].filter { !SignalDescriptor.isIgnored($0) }
    let before = numbers.map { number in
      signal(number) { number in
        // Only system calls that are safe in a signal handler.
        _ = usher_pidfd_send_signal(ProcessHandle.resumed.load(ordering: .sequentiallyConsistent), SIGCONT)
        signal(number, SIG_DFL)
        // Takes effect when this function has returned, because the signal is blocked until then.
        raise(number)
      }
    }
    defer {
      for (number, handler) in zip(numbers, before) { signal(number, handler) }
      Self.resumed.store(-1, ordering: .sequentiallyConsistent)
    }
    return try body()
  }
}
