// SPDX-License-Identifier: Apache-2.0
/// A gate that is closed until it is opened, and on which tasks can wait.
public actor Gate {
  private var isOpen = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Creates a closed gate.
  public init() {}

  /// Opens the gate for all tasks that wait now or later.
  public func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  /// Waits until the gate is open.
  public func pass() async {
    guard !isOpen else { return }
    await withCheckedContinuation { waiters.append($0) }
  }
}
