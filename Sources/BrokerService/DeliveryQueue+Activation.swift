import BrokerCore
import BusInterfaces
import DBus

extension Envelope {
  /// What it is for, where it has no URL.
  var errand: ActivationRequest? {
    urls.isEmpty ? ActivationRequest(reason: reason.rawValue, desktopAction: desktopAction) : nil
  }
}

/// Requests without a URL.
extension DeliveryQueue {
  /// The ways to try for an envelope, in order.
  func approaches(for envelope: Envelope, isRunning: Bool) -> ArraySlice<DeliveryStrategy> {
    if let errand = envelope.errand { return application.approaches(isRunning: isRunning, for: errand)[...] }
    return application.approaches(isRunning: isRunning, performing: envelope.desktopAction)[...]
  }

  /// What is told when no way was left: nothing arrived.
  func dead(_ envelope: Envelope, _ reasons: [String]) -> Delivery {
    // It was told of nothing, so nothing has failed; what it runs as takes no envelopes either.
    if case .message? = envelope.errand, let errand = envelope.errand,
      reasons.isEmpty || !application.takesEnvelopes
    {
      return failure(.notHandled, application.refusal(of: errand))
    }
    return failure(.launchFailed, reasons.joined(separator: "; then "))
  }

  /// Makes the call of the standard interface that says what an envelope says.
  ///
  /// The standard's actions take no URL, and what is for an envelope alone never comes here.
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
