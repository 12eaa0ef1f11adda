public import BrokerCore

/// How much may wait at once, and how long; a caller that is alone gets a quarter (`SharedQuota`).
public struct BrokerLimits: Hashable, Sendable {
  /// Parts of requests for one target.
  public var perTarget = 4_000
  /// URLs in all.
  public var total = 20_000
  /// What the requests hold in all, in bytes.
  public var bytes = 64 << 20
  /// URLs that are not decided yet, and calls whose caller is being identified.
  public var undecided = 8_000
  /// Programs that are started for one caller.
  public var startsPerCaller = StartRateLimiter.Rate(burst: 50, perSecond: 20)
  /// Programs that are started for all callers.
  public var startsInAll = StartRateLimiter.Rate(burst: 200, perSecond: 100)
  /// How long a request is kept, unless its caller waits longer.
  public var lifetime: Duration = .seconds(600)

  /// How long an application may take until it has its name before it counts as slow.
  public var slowStart: Duration = .seconds(15)

  /// How long an application may take to say which interfaces it has.
  public var introspection: Duration = .seconds(5)

  /// The usual limits.
  public init() {}

  /// The usual limits, changed as `text` says: `lifetime=2 total=5` and so on, times in seconds; for tests.
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
