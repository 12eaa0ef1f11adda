/// Something that is waited for: closed until somebody opens it.
public actor Gate {
  private var isOpen = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// A closed gate.
  public init() {}

  /// Lets everybody pass who waits, and who comes.
  public func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  /// Returns when the gate is open.
  public func pass() async {
    guard !isOpen else { return }
    await withCheckedContinuation { waiters.append($0) }
  }
}
