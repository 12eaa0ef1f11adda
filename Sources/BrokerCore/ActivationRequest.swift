// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// The purpose of a request without URLs, as far as it determines which applications can receive it.
public enum ActivationRequest: Hashable, Sendable {
  /// Starts the application, or brings it to the front.
  case activation
  /// Performs this action of the desktop entry.
  case action(String)
  /// Any other reason, which only an application that accepts envelopes can receive.
  case message(reason: String)

  /// Creates the purpose from the reason and the desktop action of an envelope.
  public init(reason: String, desktopAction: String?) {
    switch (reason, desktopAction) {
    case ("activate", nil): self = .activation
    case ("activate", let action?), ("shortcut-item", let action?): self = .action(action)
    default: self = .message(reason: reason)
    }
  }
}

extension TargetApplication {
  /// Returns the delivery strategies for a request without URLs, in the order in which the broker tries them.
  ///
  /// The array is empty if the application cannot receive such a request in its current state. The broker does not
  /// start an application that could not receive the request. A running instance may accept envelopes although its
  /// entry does not declare it.
  public func approaches(isRunning: Bool, for purpose: ActivationRequest) -> [DeliveryStrategy] {
    switch purpose {
    case .activation: return approaches(isRunning: isRunning)
    case .action(let action):
      // The Desktop Entry specification performs an action with a bus call; the action's Exec line is for launchers
      // without a bus.
      guard isDBusActivatable, !takesEnvelopes else {
        return approaches(isRunning: isRunning, performing: action)
      }
      return [isRunning ? .signal : .activate, .execute]
    case .message:
      guard takesEnvelopes || isRunning else { return [] }
      return approaches(isRunning: isRunning).filter { $0 != .execute }
    }
  }

  /// Returns the reason why the application cannot receive a request without URLs, and the change that would help, if any.
  public func refusal(of purpose: ActivationRequest) -> String {
    let what =
      switch purpose {
      case .activation: "an activation"
      case .action(let action): "the action “\(action)”"
      case .message(let reason): "“\(reason)”"
      }
    guard id.busName != nil || !takesEnvelopes else {
      return "\(id) cannot receive \(what), because its ID is not a valid bus name"
    }
    guard !takesEnvelopes else {
      return "the running instance of \(id) does not accept envelopes, which are needed for \(what)"
    }
    return """
      \(id) cannot receive \(what), because its desktop entry does not have the line Implements=org.usher.Application1;
      """
  }
}
