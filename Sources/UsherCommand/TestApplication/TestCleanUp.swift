// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import Systemd

/// Ends the programs of a test and removes its directory if a signal ends the command.
///
/// The programs have their own sessions, so that Ctrl-C reaches only the command, and an application may be stopped.
final class TestCleanUp: Sendable {
  private struct Remains {
    var groups: Set<Int32> = []
    var directory: String?
  }

  private let remains = Mutex(Remains())

  /// Receives the signals that end the command, except those that it ignores; no other thread may exist yet.
  init() {
    let numbers = [SIGINT, SIGTERM, SIGHUP].filter { !SignalDescriptor.isIgnored($0) }
    // The signals are blocked before the thread starts, so that it blocks them, too.
    let interruption = SignalDescriptor(numbers)
    _ = DetachedThread.run { [self] in
      var polled = [pollfd(fd: interruption?.rawValue ?? -1, events: Int16(POLLIN), revents: 0)]
      while true {
        _ = poll(&polled, 1, -1)
        guard let number = interruption?.take() else { continue }
        end(by: number)
      }
    }
  }

  /// Adds the process group of a program.
  func add(group: Int32) { remains.withLock { _ = $0.groups.insert(group) } }

  /// Removes the process group of a program that has exited.
  func remove(group: Int32) { remains.withLock { _ = $0.groups.remove(group) } }

  /// Sets the directory to remove.
  func set(directory: String) { remains.withLock { $0.directory = directory } }

  private func end(by number: Int32) {
    // The lock is held until the process ends; otherwise the main thread would report that its bus has exited.
    remains.withLock { remains in
      for group in remains.groups { kill(-group, SIGKILL) }
      if let directory = remains.directory {
        // A killed program may still complete a system call that creates a file.
        for _ in 0..<100 where access(directory, F_OK) == 0 {
          PrivateBus.remove(directory)
          usleep(1_000)
        }
      }
      var set = sigset_t()
      sigemptyset(&set)
      sigaddset(&set, number)
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
      raise(number)
    }
  }
}
