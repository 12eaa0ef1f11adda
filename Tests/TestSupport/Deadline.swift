// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The factor by which every timeout of a test is multiplied: `USHER_TEST_TIMEOUT_FACTOR`, for runs under a sanitizer.
public let timeoutFactor = getenv("USHER_TEST_TIMEOUT_FACTOR").flatMap { Double(String(cString: $0)) } ?? 1

/// Returns the value of a program's option `--timeout` for a test that waits for its expiry, in seconds.
///
/// On a slow machine the limit is longer, because what precedes the expiry, such as the start of an application, takes longer.
public func timeLimit(_ seconds: Int) -> String { "\(Double(seconds) * timeoutFactor)" }

/// Runs `work`; if it takes longer than `time`, cancels it and throws an error that names `what`.
///
/// With this limit a failed test reports a message instead of hanging.
public func withDeadline<Value: Sendable>(
  _ time: Duration, _ what: String, _ work: @Sendable @escaping () async throws -> Value
) async throws(TestSupportError) -> Value {
  do {
    return try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        try await Task.sleep(for: time * timeoutFactor)
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let value = first else {
        throw TestSupportError("\(what) did not come within \(time * timeoutFactor)")
      }
      return value
    }
  } catch let error as TestSupportError {
    throw error
  } catch {
    throw TestSupportError("\(what): \(error)")
  }
}
