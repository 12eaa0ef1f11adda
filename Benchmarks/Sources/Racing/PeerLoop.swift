private import Foundation

/// The other end of a `PeerProcess`.
///
/// It prints how many look-ups a pass has; then, for each number that it reads, makes as many passes and prints the
/// nanoseconds they took.
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
