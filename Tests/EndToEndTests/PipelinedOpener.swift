import BusInterfaces
import DBus
import TestSupport
import Testing

/// One connection that opens many links without waiting for the answers in between.
actor PipelinedOpener {
  private let bus: BusConnection

  init(_ desk: Desk) async throws { bus = try await desk.connect() }

  /// One on a connection that is there.
  init(_ bus: BusConnection) { self.bus = bus }

  /// Opens all, in order, and returns when every one was answered as it should be.
  func open(_ urls: [String], _ options: OpenOptions = OpenOptions()) async throws {
    for call in send(urls, options) {
      let receipt = try Receipt(try await call.value)
      #expect(receipt.outcome >= options.wait.outcome)
    }
  }

  /// Sends all, in order.
  func send(_ urls: [String], _ options: OpenOptions) -> [Task<[String: Variant], any Error>] {
    urls.map { url in
      // Tasks that inherit an actor start in the order in which they are made.
      Task {
        _ = self
        return try await bus.call(
          BrokerInterface.open, at: BrokerInterface.broker, [url], options.entries,
          timeout: .seconds(60) * timeoutFactor)
      }
    }
  }

  /// Sends an `Open` and right behind it its `Cancel`; the error that the first ends with.
  func openAndCancel(_ url: String) async throws -> BusError? {
    var options = OpenOptions()
    options.requestID = "one"
    let call = send([url], options)
    let cancel = Task {
      _ = self
      try await bus.call(BrokerInterface.cancel, at: BrokerInterface.broker, "one")
    }
    try await cancel.value
    do { _ = try await call[0].value } catch let error as BusError { return error }
    return nil
  }
}
