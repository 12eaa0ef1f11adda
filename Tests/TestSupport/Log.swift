// SPDX-License-Identifier: Apache-2.0
/// A log of events, in order.
public struct Log: Sendable {
  private let events: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  /// Creates an empty log.
  public init() { (events, continuation) = AsyncStream.makeStream() }

  /// Adds an event.
  public func add(_ event: String) { continuation.yield(event) }

  /// Returns the next event; throws if none arrives in time.
  public func next() async throws(TestSupportError) -> String {
    let events = events
    let event = try await withDeadline(Command.defaultDeadline, "an event") {
      await events.first { _ in true }
    }
    guard let event else { throw TestSupportError("there are no more events") }
    return event
  }

  /// Returns all unread events.
  public func finish() async -> [String] {
    continuation.finish()
    return await events.reduce(into: []) { $0.append($1) }
  }
}
