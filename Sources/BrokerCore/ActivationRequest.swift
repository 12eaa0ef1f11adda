import Freedesktop

/// What a request without URLs is for, as far as it depends on that who can take it.
public enum ActivationRequest: Hashable, Sendable {
  /// To start, or to come to the front.
  case activation
  /// To perform this action of the desktop entry.
  case action(String)
  /// Anything else: only an application that takes envelopes can be told of it.
  case message(reason: String)

  /// What the reason and the action of an envelope come to.
  public init(reason: String, desktopAction: String?) {
    switch (reason, desktopAction) {
    case ("activate", nil): self = .activation
    case ("activate", let action?), ("shortcut-item", let action?): self = .action(action)
    default: self = .message(reason: reason)
    }
  }
}

extension TargetApplication {
  /// The ways to try for a request without URLs, in order; none where it cannot take such a request as it is now.
  ///
  /// Nobody is started for what cannot be told to it. One that runs may take envelopes whatever its entry says.
  public func approaches(isRunning: Bool, for errand: ActivationRequest) -> [DeliveryStrategy] {
    switch errand {
    case .activation: return approaches(isRunning: isRunning)
    case .action(let action):
      // The standard's own way; the action's Exec line is for launchers that have no bus.
      guard isDBusActivatable, !takesEnvelopes else {
        return approaches(isRunning: isRunning, performing: action)
      }
      return [isRunning ? .signal : .activate, .execute]
    case .message:
      guard takesEnvelopes || isRunning else { return [] }
      return approaches(isRunning: isRunning).filter { $0 != .execute }
    }
  }

  /// Why it cannot take a request without URLs, and what would change that where something would.
  public func refusal(of errand: ActivationRequest) -> String {
    let what =
      switch errand {
      case .activation: "being activated"
      case .action(let action): "the action “\(action)”"
      case .message(let reason): "“\(reason)”"
      }
    guard id.busName != nil || !takesEnvelopes else {
      return "\(id) cannot be told of \(what): its ID is no name on the bus by which it could be reached"
    }
    guard !takesEnvelopes else {
      return "the instance of \(id) that runs takes no envelopes, and \(what) comes in one"
    }
    return """
      \(id) cannot be told of \(what): its desktop entry would have to say Implements=org.usher.Application1;
      """
  }
}
