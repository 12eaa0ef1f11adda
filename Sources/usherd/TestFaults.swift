import BrokerService
import Glibc
import Synchronization

/// What the tests ask of a broker by its environment; nobody else has a use for it.
enum TestFaults {
  /// `USHER_TEST_LIMITS`: other limits, as `BrokerLimits` reads them.
  static var limits: BrokerLimits {
    getenv("USHER_TEST_LIMITS").map { BrokerLimits(String(cString: $0)) } ?? BrokerLimits()
  }

  /// `USHER_TEST_KILL_AT`: the process ends by SIGKILL when it passes this many points at which something is written
  /// down, sent or answered.
  static var atCommit: (@Sendable () -> Void)? {
    guard let text = getenv("USHER_TEST_KILL_AT"), let last = Int(String(cString: text)) else { return nil }
    let passed = Passed()
    return {
      if passed.count.add(1, ordering: .relaxed).newValue == last { kill(getpid(), SIGKILL) }
    }
  }

  private final class Passed: Sendable {
    let count = Atomic<Int>(0)
  }
}
