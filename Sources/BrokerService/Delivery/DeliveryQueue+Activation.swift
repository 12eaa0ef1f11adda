import BrokerCore
import BusInterfaces
import DBus

extension Envelope {
  /// The purpose of an envelope without URLs; `nil` if it has URLs.
  var errand: ActivationRequest? {
    urls.isEmpty ? ActivationRequest(reason: reason.rawValue, desktopAction: desktopAction) : nil
  }
}

/// Requests without URLs.
extension DeliveryQueue {
  /// Returns the delivery strategies for an envelope, in the order in which they are tried.
  func approaches(for envelope: Envelope, isRunning: Bool) -> ArraySlice<DeliveryStrategy> {
    if let errand = envelope.errand { return application.approaches(isRunning: isRunning, for: errand)[...] }
    return application.approaches(isRunning: isRunning, performing: envelope.desktopAction)[...]
  }

  /// Returns the delivery if no strategy is left and nothing arrived.
  func dead(_ envelope: Envelope, _ reasons: [String]) -> Delivery {
    // Nothing failed, because the application cannot receive such a request: its running instance accepts no envelopes
    // either.
    if case .message? = envelope.errand, let errand = envelope.errand,
      reasons.isEmpty || !application.takesEnvelopes
    {
      return failure(.notHandled, application.refusal(of: errand))
    }
    return failure(.launchFailed, reasons.joined(separator: "; then "))
  }

  /// Makes the call of the standard interface that corresponds to an envelope.
  ///
  /// Actions of the standard interface have no URLs. Envelopes without a corresponding call are rejected before.
  func callStandard(_ envelope: Envelope, _ addressee: RemoteObject) async throws(BusError) {
    let (bus, data) = (dependencies.bus, envelope.platformData)
    switch (envelope.errand, envelope.desktopAction) {
    case (.activation?, _):
      try await bus.call(
        ApplicationInterface.activate, at: addressee, data, timeout: dependencies.callDeadline,
        autoStart: false)
    case (_, let action?):
      let parameter = envelope.urls.isEmpty ? [envelope.payload?.variant].compactMap(\.self) : []
      try await bus.call(
        ApplicationInterface.activateAction, at: addressee, action, parameter, data,
        timeout: dependencies.callDeadline, autoStart: false)
    default:
      try await bus.call(
        ApplicationInterface.open, at: addressee, envelope.urls, data, timeout: dependencies.callDeadline,
        autoStart: false)
    }
  }
}
