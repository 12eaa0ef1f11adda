// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A program that the probe starts.
struct Order: Encodable, Sendable {
  var application = "org.example.App-1"
  var arguments: [String]
  var variables: [String: String]?
  var directory: String?
  var waits: Bool? = true
  var terminates: Bool?
  var then: String?

  /// Returns an order for a shell script.
  static func shell(_ script: String) -> Order { Order(arguments: ["/bin/sh", "-c", script]) }
}

/// The outcome of a start.
struct Outcome: Decodable, Sendable {
  var started: String?
  var failed: String?
  var ended: String?
}

/// The environment of a start: the two launch methods have one contract.
enum Place: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case userManager
  case child

  var testDescription: String { rawValue }

  /// Starts all of `orders` in sequence through the probe.
  ///
  /// Skips the test if no user manager is available.
  func start(_ orders: [Order], _ desktop: ThrowAwayDesktop) async throws -> [Outcome] {
    let probe = "\(BuiltProducts.directory)/LaunchProbe"
    let encoder = JSONEncoder()
    let input = try orders.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }.joined()
    let result: CommandResult
    switch self {
    case .userManager:
      if let reason = await UserManagerRig.unavailableReason() { try Test.cancel("\(reason)") }
      result = try await UserManagerRig.run(probe, environment: desktop.environment, input: input)
    case .child:
      result = try await Command.run(probe, ["--no-bus"], environment: desktop.environment, input: input)
    }
    let outcomes = try result.orThrow().lines.filter { $0.hasPrefix("{") }.map {
      try JSONDecoder().decode(Outcome.self, from: Data($0.utf8))
    }
    try #require(outcomes.count == orders.count, "\(result)")
    return outcomes
  }
}
