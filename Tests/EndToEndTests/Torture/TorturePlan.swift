import Foundation

/// How much a run of the torture is: `USHER_TORTURE="requests=10000 callers=20 targets=100 kills=20"`, what is not named as
/// in CI.
struct TorturePlan {
  var requests = 600
  var callers = 8
  var targets = 16
  /// How often the broker is killed.
  var kills = 5
  var seed: UInt64 = 1
  /// Bytes of the file system that the broker writes to, which is full for a fifth of the time.
  var room = 48 << 20

  init(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    for word in (environment["USHER_TORTURE"] ?? "").split(separator: " ") {
      let parts = word.split(separator: "=")
      guard parts.count == 2, let value = Int(parts[1]) else { throw Unreadable(word: String(word)) }
      switch parts[0] {
      case "requests": requests = value
      case "callers": callers = value
      case "targets": targets = value
      case "kills": kills = value
      case "seed": seed = UInt64(truncatingIfNeeded: value)
      default: throw Unreadable(word: String(word))
      }
    }
  }

  struct Unreadable: Error, CustomStringConvertible {
    let word: String
    var description: String {
      "USHER_TORTURE: \(word) is none of requests=, callers=, targets=, kills=, seed="
    }
  }
}
