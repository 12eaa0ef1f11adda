// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The size of a stress test: `USHER_TORTURE="requests=10000 callers=20 targets=100 kills=20"`, with CI's defaults.
struct TorturePlan {
  var requests = 600
  var callers = 8
  var targets = 16
  /// The number of kills of the broker.
  var kills = 5
  var seed: UInt64 = 1
  /// The size in bytes of the broker's file system, which is full for a fifth of the time.
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
