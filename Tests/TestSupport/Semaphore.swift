// SPDX-License-Identifier: Apache-2.0
/// A counting semaphore: at most a number of tasks run at once, and others wait for a permit.
///
/// The tests run many processes each. All of them at once would overload the processors, and need more inotify instances
/// (one for a bus, several for a user manager) than the 128 that Linux grants a user.
public actor Semaphore {
  /// The limit of session buses that run at once.
  static let buses = Semaphore(16)
  /// The limit of user managers that run at once.
  public static let userManagers = Semaphore(2)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Creates a semaphore with `count` permits.
  public init(_ count: Int) { free = count }

  /// Runs `body` with a permit.
  ///
  /// `body` must not wait for a second permit of the same semaphore, because that can deadlock.
  nonisolated public func withPermit<Value, Failure: Error>(
    _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    await acquire()
    do throws(Failure) {
      let value = try await body()
      await release()
      return value
    } catch {
      await release()
      throw error
    }
  }

  private func acquire() async {
    guard free == 0 else { return free -= 1 }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func release() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
