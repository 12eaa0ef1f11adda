// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// Settings for tests, which are read from the environment.
public enum TestFaults {
  /// The limits in `USHER_TEST_LIMITS`, in the notation of `BrokerLimits`.
  public static var limits: BrokerLimits {
    getenv("USHER_TEST_LIMITS").map { BrokerLimits(String(cString: $0)) } ?? BrokerLimits()
  }

  /// The factor of the times for which the broker waits for other programs: `USHER_TEST_TIMEOUT_FACTOR`, otherwise 1.
  ///
  /// Tests set it on a loaded machine, where each program takes longer to respond.
  public static let waitingFactor: Double =
    getenv("USHER_TEST_TIMEOUT_FACTOR").flatMap { Double(String(cString: $0)) } ?? 1

  /// A function that ends the process with SIGKILL at its N-th call, where N is `USHER_TEST_KILL_AT`; `nil` if that is not set.
  ///
  /// A daemon calls it before and after each write, delivery and answer.
  public static var atCommit: (@Sendable () -> Void)? {
    guard let text = getenv("USHER_TEST_KILL_AT"), let last = Int(String(cString: text)) else { return nil }
    let passed = Passed()
    return {
      if passed.count.add(1, ordering: .relaxed).newValue == last { kill(getpid(), SIGKILL) }
    }
  }

  /// The path of the system's time zone: `USHER_TEST_LOCALTIME`, otherwise `/etc/localtime`.
  public static var localtime: String {
    getenv("USHER_TEST_LOCALTIME").map { String(cString: $0) } ?? "/etc/localtime"
  }

  /// The time after which a daemon without work exits: the number of seconds in `USHER_TEST_IDLE`, otherwise five seconds.
  public static var idleTime: Duration {
    .seconds(getenv("USHER_TEST_IDLE").flatMap { Int(String(cString: $0)) } ?? 5)
  }

  /// The time after which a download's server that sends nothing is given up: the number of seconds in `USHER_TEST_STALL`.
  public static var stall: Int? { getenv("USHER_TEST_STALL").flatMap { Int(String(cString: $0)) } }

  /// The time for which a relay waits for the answer of a sign-in: the number of seconds in `USHER_TEST_SIGN_IN`.
  public static var signIn: Duration? {
    getenv("USHER_TEST_SIGN_IN").flatMap { Int(String(cString: $0)) }.map { .seconds($0) }
  }

  private final class Passed: Sendable {
    let count = Atomic<Int>(0)
  }
}
