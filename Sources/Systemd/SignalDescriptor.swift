// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// A descriptor that receives signals instead of their default action, as long as it exists.
///
/// Threads that exist already would still receive them; those that start later do not. The thread that creates it must release it, or
/// use it as long as the process runs, because `deinit` restores the signal mask of the current thread.
public final class SignalDescriptor: Sendable {
  /// The descriptor, which is readable when a signal is pending.
  public let rawValue: Int32
  private let before: sigset_t

  /// Receives the signals of `numbers`; `nil` if the kernel cannot create the descriptor.
  public init?(_ numbers: [Int32]) {
    var set = sigset_t()
    var before = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    let descriptor = usher_signalfd(&set)
    guard descriptor >= 0 else { return nil }
    pthread_sigmask(SIG_BLOCK, &set, &before)
    rawValue = descriptor
    self.before = before
  }

  deinit {
    close(rawValue)
    var mask = before
    pthread_sigmask(SIG_SETMASK, &mask, nil)
  }

  /// Removes and returns the number of the next pending signal; `nil` if there is none.
  public func take() -> Int32? {
    let number = usher_read_signal(rawValue)
    return number > 0 ? number : nil
  }

  /// Returns `true` if the current process ignores the signal.
  package static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}
