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
  /// A local notification on which the user has not acted, which only a running instance receives.
  ///
  /// The notification itself is for the user; starting the application is the user's decision.
  case dueNotification

  /// Creates the purpose from the reason and the desktop action of an envelope.
  ///
  /// - Parameter hasResponse: `false` if the payload of a notification has no action that the user chose.
  public init(reason: String, desktopAction: String?, hasResponse: Bool = true) {
    switch (reason, desktopAction) {
    case ("activate", nil): self = .activation
    case ("activate", let action?), ("shortcut-item", let action?): self = .action(action)
    case ("local-notification", _) where !hasResponse: self = .dueNotification
    default: self = .message(reason: reason)
    }
  }

  /// A Boolean value that is `true` if only an envelope can carry the request.
  public var needsEnvelope: Bool {
    switch self {
    case .activation, .action: false
    case .message, .dueNotification: true
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
    case .dueNotification: return isRunning ? [.signal] : []
    }
  }

  /// Returns the reason why the application cannot receive a request without URLs, and the change that would help, if any.
  public func refusal(of purpose: ActivationRequest) -> String {
    let what =
      switch purpose {
      case .activation: "an activation"
      case .action(let action): "the action “\(action)”"
      case .message(let reason): "“\(reason)”"
      case .dueNotification: "“local-notification”"
      }
    guard id.busName != nil || !takesEnvelopes else {
      return "\(id) cannot receive \(what), because its ID is not a valid bus name"
    }
    guard !takesEnvelopes || purpose != .dueNotification else {
      return """
        no running instance of \(id) accepts \(what), and a notification starts an application only if the user acted on it \
        (action-identifier in the payload)
        """
    }
    guard !takesEnvelopes else {
      return "the running instance of \(id) does not accept envelopes, which are needed for \(what)"
    }
    return """
      \(id) cannot receive \(what); if it implements that interface, add the line “Implements=org.usher.Application1;” to its desktop entry
      """
  }
}
