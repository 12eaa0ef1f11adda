public import BrokerCore

/// The limits of the broker; a single caller may use a quarter of a shared limit (`SharedQuota`).
public struct BrokerLimits: Hashable, Sendable {
  /// The maximum number of waiting parts for one target.
  public var perTarget = 4_000
  /// The maximum number of waiting URLs in total.
  public var total = 20_000
  /// The maximum size of all waiting requests in bytes.
  public var bytes = 64 << 20
  /// The maximum number of undecided URLs, and of calls whose callers are not identified yet.
  public var undecided = 8_000
  /// The rate of program starts for one caller.
  public var startsPerCaller = StartRateLimiter.Rate(burst: 50, perSecond: 20)
  /// The rate of program starts for all callers.
  public var startsInAll = StartRateLimiter.Rate(burst: 200, perSecond: 100)
  /// The lifetime of a request, unless its caller waits longer.
  public var lifetime: Duration = .seconds(600)

  /// The time after which an application that has not acquired its name counts as slow.
  public var slowStart: Duration = .seconds(15)

  /// The timeout for the introspection of an application.
  public var introspection: Duration = .seconds(5)

  /// Creates the default limits.
  public init() {}

  /// Creates the default limits with the changes in `text`, such as `lifetime=2 total=5`, for tests.
  ///
  /// Times are in seconds.
  public init(_ text: String) {
    for word in text.split(separator: " ") {
      let pair = word.split(separator: "=")
      guard pair.count == 2, let number = Int(pair[1]) else { continue }
      switch pair[0] {
      case "target": perTarget = number
      case "total": total = number
      case "bytes": bytes = number
      case "undecided": undecided = number
      case "starts": startsPerCaller = StartRateLimiter.Rate(burst: number, perSecond: number)
      case "all-starts": startsInAll = StartRateLimiter.Rate(burst: number, perSecond: number)
      case "lifetime": lifetime = .seconds(number)
      case "introspection": introspection = .seconds(number)
      case "slow-start": slowStart = .seconds(number)
      default: break
      }
    }
  }
}
