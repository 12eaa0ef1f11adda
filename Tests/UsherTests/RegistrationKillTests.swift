// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `A registration that is killed` {
  /// A Boolean value that is `true` if strace may trace; a container may forbid it.
  static let canTrace =
    (try? Command.runSynchronously("/usr/bin/strace", ["-qq", "-o", "/dev/null", "/bin/true"]))?.succeeded
    == true

  /// With `USHER_KILL_SWEEP=all` the runs are killed at all system calls, otherwise at those that change files.
  static let allCalls = ProcessInfo.processInfo.environment["USHER_KILL_SWEEP"] == "all"

  @Test(
    .enabled(if: canTrace, "strace is missing, or tracing is forbidden here"),
    arguments: KillSituation.allCases)
  func `Every file is as before or as after, and either command repairs the rest`(situation: KillSituation)
    async throws
  {
    let sweep = try KilledRegistration(situation)
    try await sweep.sweep(allCalls: Self.allCalls)
    #expect(sweep.calls >= 25 && sweep.states >= 8, "\(sweep.calls) calls, \(sweep.states) states")
    print("\(situation): killed at \(sweep.calls) system calls, which left \(sweep.states) different states")
  }
}
