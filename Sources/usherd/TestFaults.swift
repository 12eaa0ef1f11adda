// SPDX-License-Identifier: Apache-2.0
import BrokerService
import Glibc
import Synchronization

/// Settings for tests, which are read from the environment.
enum TestFaults {
  /// The limits in `USHER_TEST_LIMITS`, in the notation of `BrokerLimits`.
  static var limits: BrokerLimits {
    getenv("USHER_TEST_LIMITS").map { BrokerLimits(String(cString: $0)) } ?? BrokerLimits()
  }

  /// A function that ends the process with SIGKILL at its N-th call, where N is `USHER_TEST_KILL_AT`; `nil` if that is not set.
  ///
  /// The broker calls it before and after each write, delivery and answer.
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
