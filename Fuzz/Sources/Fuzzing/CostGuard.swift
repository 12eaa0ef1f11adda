// SPDX-License-Identifier: Apache-2.0
private import Glibc
public import RouteTables

/// Checks that the CPU time of a match is within its documented cost, c * (|URL| + W * S).
///
/// The limit is high, because the code is instrumented and the machine is busy: it finds superlinear cost, not slowness.
public enum CostGuard {
  private static let nanosecondsForUnit = 2_000
  private static let grace = 20_000_000

  /// Matches, and stops the program if the limit is exceeded three times in a row.
  public static func match<Action>(
    _ url: String, _ context: [String: String], in table: RouteTable<Action>
  ) throws(RouteTableError) -> RouteMatch<Action>? {
    let begin = threadTime()
    let match = try table.match(url, when: context)
    let elapsed = threadTime() - begin
    let bytes = url.utf8.count
    let separators = url.utf8.count { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
    let units = bytes + (table.width + 1) * (separators + 1)
    guard elapsed > grace + nanosecondsForUnit * units else { return match }
    for _ in 0..<2 {
      let begin = threadTime()
      _ = try table.match(url, when: context)
      if threadTime() - begin <= grace + nanosecondsForUnit * units { return match }
    }
    promise(
      false, "\(elapsed / 1_000) us for \(units) units: \(bytes) bytes, W \(table.width), S \(separators)")
    return match
  }

  private static func threadTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
