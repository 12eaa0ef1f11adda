// SPDX-License-Identifier: Apache-2.0
private import Foundation

/// The side of a `PeerProcess` in the started process.
///
/// It prints the number of lookups in a pass. Then it reads numbers, makes that number of passes for each, and prints the
/// nanoseconds.
public enum PeerLoop {
  /// Serves standard input until it ends.
  public static func serve(lookups: Int, _ sweep: (_ passes: Int) -> Void) throws {
    try answer(lookups)
    while let passes = readLine().flatMap({ Int($0) }) {
      sweep(1)
      try answer(Stopwatch.nanoseconds { sweep(passes) })
    }
  }

  private static func answer(_ number: Int) throws {
    try FileHandle.standardOutput.write(contentsOf: Data("\(number)\n".utf8))
  }
}
