// SPDX-License-Identifier: Apache-2.0

/// A failure of the bus or of this connection, as opposed to an error of the called program.
package enum BusFailure: Hashable, Sendable {
  /// The name has no owner, and the bus cannot start a program for it.
  case serviceUnknown
  /// The name has no owner.
  case nameHasNoOwner
  /// The bus or the service manager could not start the program for the name.
  case notStarted
  /// The program for the name was started, and exited before it acquired the name.
  case exitedAtStart
  /// The program for the name did not acquire it before the timeout of the bus.
  case startTimedOut
  /// The other side disconnected before it replied.
  case noReply
  /// The caller's own timeout expired.
  case timeout
  /// The connection to the bus is closed.
  case disconnected
  /// The connection was lost before the call was sent.
  case notSent
  /// The waiting task was cancelled.
  case cancelled
}

extension BusError {
  /// The failure of the bus or of this connection; `nil` for any other error, also for one of these names in a reply of the called program.
  ///
  /// A program can reply with any name. Libraries use that of an error which the program itself has received from another call.
  package var busFailure: BusFailure? {
    guard !isOfCalledProgram else { return nil }
    return switch name {
    case .serviceUnknown: .serviceUnknown
    case .nameHasNoOwner: .nameHasNoOwner
    case "org.freedesktop.DBus.Error.TimedOut": .startTimedOut
    case .noReply: .noReply
    case .timeout: .timeout
    case .disconnected: .disconnected
    case .notSent: .notSent
    case .cancelled: .cancelled
    case "org.freedesktop.DBus.Error.Spawn.ChildExited", "org.freedesktop.DBus.Error.Spawn.ChildSignaled":
      .exitedAtStart
    default: Self.startErrors.contains { name.rawValue.hasPrefix($0) } ? .notStarted : nil
    }
  }

  /// The beginnings of the names of the errors of the bus if a program cannot be started.
  private static let startErrors = ["org.freedesktop.DBus.Error.Spawn.", "org.freedesktop.systemd1."]

  /// A Boolean value that is `true` if the other side may have received the call and carried it out.
  package var leavesOutcomeUnknown: Bool {
    switch busFailure {
    case .noReply, .timeout, .disconnected: true
    default: false
    }
  }

  /// A Boolean value that is `true` if a reply is missing: to the call, or to one that the called program has made for it.
  package var isOfMissingReply: Bool {
    switch name {
    case .noReply, .timeout: true
    default: false
    }
  }
}
