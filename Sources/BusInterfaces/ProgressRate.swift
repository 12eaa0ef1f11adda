/// How often an application may tell how far it has come with one request: what comes sooner is left out.
public struct ProgressRate: Sendable {
  /// The shortest time between two that are passed on: twenty a second.
  public static let pause = Duration.milliseconds(50)

  private var last: ContinuousClock.Instant?

  /// Nothing was told yet.
  public init() {}

  /// Whether what is told at `moment` is passed on.
  public mutating func take(at moment: ContinuousClock.Instant) -> Bool {
    if let last, moment - last < Self.pause { return false }
    last = moment
    return true
  }
}
