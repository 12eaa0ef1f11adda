/// A counting semaphore: at most a number of tasks run at once, and others wait for a seat.
///
/// The tests run many processes each. All of them at once would overload the processors, and need more inotify instances
/// (one for a bus, several for a user manager) than the 128 that Linux grants a user.
public actor Seats {
  /// The limit of session buses that run at once.
  static let ofBuses = Seats(16)
  /// The limit of user managers that run at once.
  public static let ofUserManagers = Seats(2)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Creates a semaphore with `count` seats.
  public init(_ count: Int) { free = count }

  /// Runs `body` on one of the seats.
  ///
  /// `body` must not wait for a second seat of the same semaphore, because that can deadlock.
  nonisolated public func sit<Value, Failure: Error>(
    _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    await take()
    do throws(Failure) {
      let value = try await body()
      await leave()
      return value
    } catch {
      await leave()
      throw error
    }
  }

  private func take() async {
    guard free == 0 else { return free -= 1 }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
