// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// A connection that opens many links without waiting for the replies in between.
actor PipelinedOpener {
  private let bus: BusConnection

  init(_ desk: InstalledDesktop) async throws { bus = try await desk.connect() }

  /// Creates an opener on an existing connection.
  init(_ bus: BusConnection) { self.bus = bus }

  /// Opens all links in order, and waits until each was answered successfully.
  func open(_ urls: [String], _ options: OpenOptions = OpenOptions()) async throws {
    for call in send(urls, options) {
      let receipt = try Receipt(try await call.value)
      #expect(receipt.outcome >= options.wait.outcome)
    }
  }

  /// Sends all requests in order, with the deadline of tests in place of the default timeout.
  func send(_ urls: [String], _ options: OpenOptions) -> [Task<[String: Variant], any Error>] {
    var options = options
    if options.timeout == OpenOptions.defaultTimeout { options.timeout = Command.defaultDeadline }
    let (entries, timeout) = (options.entries, options.timeout + .seconds(60))
    return urls.map { url in
      // Tasks that inherit an actor start in the order of their creation.
      Task {
        _ = self
        return try await bus.call(
          BrokerInterface.open, at: BrokerInterface.broker, [url], entries, timeout: timeout * timeoutFactor)
      }
    }
  }

  /// Sends an `Open` directly followed by its `Cancel`; returns the error of the first.
  func openAndCancel(_ url: String, _ options: OpenOptions = OpenOptions()) async throws -> BusError? {
    var options = options
    let id = options.requestID ?? "one"
    options.requestID = id
    let call = send([url], options)
    let cancel = Task {
      _ = self
      try await bus.call(BrokerInterface.cancel, at: BrokerInterface.broker, id)
    }
    try await cancel.value
    do { _ = try await call[0].value } catch let error as BusError { return error }
    return nil
  }
}
