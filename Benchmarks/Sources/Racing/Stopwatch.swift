// SPDX-License-Identifier: Apache-2.0
/// Measures time.
public enum Stopwatch {
  /// Returns the time of `work` in nanoseconds.
  public static func nanoseconds(_ work: () throws -> Void) rethrows -> Int {
    let elapsed = try ContinuousClock().measure(work).components
    return Int(elapsed.seconds) * 1_000_000_000 + Int(elapsed.attoseconds / 1_000_000_000)
  }
}
