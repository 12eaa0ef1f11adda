// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

extension OpenResult {
  /// Prints errors and values always, and other outcomes only to a terminal.
  func tell() {
    for delivery in deliveries where delivery.outcome != .failed {
      if Console.isTerminal {
        Console.say(Self.line(delivery))
      } else if let value = delivery.value {
        Console.emit(value.json)
      }
    }
    guard let failure else { return }
    let failed = deliveries.filter { $0.error != nil }
    guard failed.count > 1 else { return Console.warn(failure.message) }
    for delivery in failed {
      let message = delivery.message ?? delivery.error?.rawValue ?? delivery.outcome.rawValue
      Console.warn(message)
    }
  }

  private static func line(_ delivery: Delivery) -> StyledText {
    let who = StyledText(delivery.application ?? "a program", as: .heading)
    let what: StyledText =
      switch delivery.outcome {
      case .accepted, .handled, .delivered: "\(who) \(delivery.progressText)"
      default: "\(who): \("the outcome is unknown", as: .open)"
      }
    return delivery.value.map { "\(what): \($0.json)" } ?? what
  }
}
