// SPDX-License-Identifier: Apache-2.0
import Systemd

/// The isolation domain of the broker: the thread of the shared event loop.
///
/// All objects of the broker that have state belong to it, so they call one another without suspension and without a
/// lock. Messages, timers and the exits of child processes arrive on the same thread.
@globalActor
public actor BrokerActor {
  /// The instance whose executor all isolated code shares.
  public static let shared = BrokerActor()

  /// The event loop that runs the domain.
  static var loop: EventLoop { .shared }

  /// The executor of the domain, which is the event loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.loop.asUnownedSerialExecutor() }

  /// Runs `body` in the domain, for a callback that the compiler cannot know to run on the thread of the event loop.
  ///
  /// The process stops if the current thread is another one.
  static func onLoop<Value: Sendable>(_ body: @BrokerActor () -> Value) -> Value {
    loop.checkIsolated()
    return withoutActuallyEscaping(body) { body in
      // The two types differ only in the isolation, which is checked above; `MainActor.assumeIsolated` does the same.
      unsafeBitCast(body, to: (() -> Value).self)()
    }
  }

  /// Returns the result of an operation, or `late` if it has not ended within `limit`, as for a disk that does not respond.
  ///
  /// The operation then continues, and its result is dropped.
  @BrokerActor
  static func result<Value: Sendable>(
    within limit: Duration, otherwise late: Value, of operation: @escaping @BrokerActor () async -> Value
  ) async -> Value {
    let result = Promise<Value>()
    loop.start { result.fulfil(await operation()) }
    return await result.value(within: limit, otherwise: late)
  }

  /// Runs `body` at the end of the current turn of the event loop, for work that no caller waits for.
  static func afterwards(_ body: @escaping @BrokerActor () -> Void) {
    loop.submitAfterwards { onLoop(body) }
  }
}
