// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Freedesktop

extension OpenResult {
  /// Prints errors and values always, and other outcomes only to a terminal.
  func print() {
    for delivery in deliveries where delivery.outcome != .failed {
      if Console.isTerminal {
        Console.print(Self.line(delivery))
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
    guard !delivery.isAsking else { return "the user is asked in another window" }
    let who = StyledText(name(of: delivery), as: .heading)
    let what: StyledText =
      switch delivery.outcome {
      case .accepted, .handled, .delivered: "\(who) \(delivery.progressText)"
      default: "\(who): \("the outcome is unknown", as: .open)"
      }
    return delivery.value.map { "\(what): \($0.json)" } ?? what
  }

  /// Returns the ID of the application; for a scheme of another machine, a description, because its ID is no text for users.
  private static func name(of delivery: Delivery) -> String {
    guard let id = delivery.application else { return "a program" }
    guard ApplicationID(id)?.isOfOtherMachine == true else { return id }
    let entry = RegistrationService().registration.remoteEntries.first { $0.id.rawValue == id }
    // The registration may have ended with the link.
    return entry.map { "the program on \($0.machine)" } ?? "the program on another machine"
  }
}
