/// How much may wait at once, and how long.
public struct BrokerLimits: Hashable, Sendable {
  /// Parts of requests for one target.
  public var perTarget = 1_000
  /// Parts of requests in all.
  public var total = 20_000
  /// What they hold in all, in bytes.
  public var bytes = 64 << 20
  /// Parts of requests from one source: a caller's unit or program.
  public var perSource = 5_000
  /// What those of one source hold, in bytes.
  public var bytesPerSource = 16 << 20
  /// Requests of one connection that are being looked at.
  public var perConnection = 2_000
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
      case "source": perSource = number
      case "source-bytes": bytesPerSource = number
      case "connection": perConnection = number
      case "lifetime": lifetime = .seconds(number)
      case "introspection": introspection = .seconds(number)
      case "slow-start": slowStart = .seconds(number)
      default: break
      }
    }
  }
}
