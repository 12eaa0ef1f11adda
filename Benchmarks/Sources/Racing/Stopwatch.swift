/// Times work.
public enum Stopwatch {
  /// Nanoseconds that `work` takes.
  public static func nanoseconds(_ work: () throws -> Void) rethrows -> Int {
    let elapsed = try ContinuousClock().measure(work).components
    return Int(elapsed.seconds) * 1_000_000_000 + Int(elapsed.attoseconds / 1_000_000_000)
  }
}
