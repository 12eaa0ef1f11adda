/// Room for so many at once; who comes later waits for a seat.
///
/// The tests are many processes each. All of them at once would measure how two processors thrash, and take more
/// inotify instances (one a bus, several a user manager) than the 128 that Linux gives a user.
public actor Seats {
  /// The session buses that run at once.
  static let ofBuses = Seats(16)
  /// The user managers that run at once.
  public static let ofUserManagers = Seats(2)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Room for `count` at once.
  public init(_ count: Int) { free = count }

  /// Does `body` on one of the seats.
  ///
  /// Who sits must not wait for a second seat of the same kind.
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
