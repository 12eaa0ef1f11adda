import CSystemd
import Glibc

/// Signals that come as something to read instead of what they do otherwise, as long as this lives.
///
/// For programs of one thread: another thread would get them as before.
public final class SignalDescriptor {
  /// What can be read, and polled, when a signal has come.
  public let rawValue: Int32
  private var before: sigset_t

  /// Takes the signals of `numbers`; `nil` where that cannot be.
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
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// The number of the next signal that has come; `nil` where none has.
  public func take() -> Int32? {
    let number = usher_read_signal(rawValue)
    return number > 0 ? number : nil
  }
}
