// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

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
    let sizes = try TortureSizes(
      "USHER_TORTURE", in: environment, ["requests", "callers", "targets", "kills", "seed"])
    requests = sizes["requests"] ?? requests
    callers = sizes["callers"] ?? callers
    targets = sizes["targets"] ?? targets
    kills = sizes["kills"] ?? kills
    seed = sizes["seed"].map(UInt64.init(clamping:)) ?? seed
  }
}

/// The numbers in an environment variable, such as `requests=10000 callers=20`.
struct TortureSizes {
  private var values: [String: Int] = [:]

  /// Reads a variable; without it, there are no numbers.
  init(_ variable: String, in environment: [String: String], _ keys: [String]) throws {
    for word in (environment[variable] ?? "").split(separator: " ") {
      let parts = word.split(separator: "=")
      guard parts.count == 2, keys.contains(String(parts[0])), let value = Int(parts[1]) else {
        throw TestSupportError(
          "\(variable): \(word) is not one of \(keys.map { "\($0)=" }.joined(separator: ", "))")
      }
      values[String(parts[0])] = value
    }
  }

  subscript(key: String) -> Int? { values[key] }
}
