// SPDX-License-Identifier: Apache-2.0
import Dispatch
public import Testing

/// A trait of tests that compute for a long time: they run on one thread of their own, one after another.
///
/// All other tests share as many threads as there are processors. A test that computes on one of them for a minute would delay the
/// replies of programs that other tests wait for, until their time limits expire.
///
/// ```swift
/// @Test(.computes) func `Random languages agree with enumeration`() { … }
/// ```
public struct ComputationTrait: TestTrait, SuiteTrait, TestScoping {
  /// A suite passes the trait on to its tests.
  public var isRecursive: Bool { true }

  /// Runs a test on the thread of the computations.
  @concurrent public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ComputationThread.shared) { try await function() }
  }
}

extension Trait where Self == ComputationTrait {
  /// The test computes for a long time, and waits for nothing.
  public static var computes: ComputationTrait { ComputationTrait() }
}

private final class ComputationThread: TaskExecutor {
  static let shared = ComputationThread()
  private let queue = DispatchQueue(label: "org.usher.tests.computations")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
