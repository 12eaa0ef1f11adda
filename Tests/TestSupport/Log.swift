/// What happened, in order.
public struct Log: Sendable {
  private let events: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  /// An empty log.
  public init() { (events, continuation) = AsyncStream.makeStream() }

  /// Adds what happened.
  public func add(_ event: String) { continuation.yield(event) }

  /// The next event; fails when it does not come.
  public func next() async throws(TestSupportError) -> String {
    let events = events
    let event = try await withDeadline(Command.defaultDeadline, "an event") {
      await events.first { _ in true }
    }
    guard let event else { throw TestSupportError("there are no more events") }
    return event
  }

  /// Everything that was not read yet.
  public func finish() async -> [String] {
    continuation.finish()
    return await events.reduce(into: []) { $0.append($1) }
  }
}
