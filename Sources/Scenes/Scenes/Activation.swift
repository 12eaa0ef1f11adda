// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The activation state of a scene or of an application without scenes, and the state to which it moves.
///
/// One task at a time calls the delegate, one call after the other, until the state is the goal. A goal that is set meanwhile is reached by
/// the same task, so that the calls of two changes never mix.
struct Activation {
  /// The current state, which a `will` call leaves and a `did` call has reached, as in UIKit.
  private(set) var state: ActivationState
  /// The state that was set last.
  private(set) var goal: ActivationState
  private var isMoving = false
  /// The state to which the delegate's current `will` call leads.
  private var announced: ActivationState?
  private var waiters: [CheckedContinuation<Void, Never>] = []

  init(_ state: ActivationState) { (self.state, goal) = (state, state) }

  /// Sets the state in which the program was started, without a delegate call, unless the state changes already.
  mutating func start(in state: ActivationState) {
    if !isMoving { (self.state, goal) = (state, state) }
  }

  /// Sets the goal if the last one is among `states`, any by default, and returns `true` if the caller has to make the calls.
  mutating func move(to goal: ActivationState, from states: Set<ActivationState>? = nil) -> Bool {
    // A window that closes is also hidden; the scene is disconnected nevertheless.
    let isDisconnecting = isMoving && self.goal == .unattached
    if !isDisconnecting, states?.contains(self.goal) ?? true { self.goal = goal }
    guard !isMoving else { return false }
    isMoving = true
    return true
  }

  /// Returns the next delegate call; `nil` when the state is the goal.
  mutating func next() -> ActivationState.Transition? {
    if let announced { state = announced }
    announced = nil
    while let step = state.step(to: goal) {
      if step.call?.isAnnouncement == true { announced = step.state } else { state = step.state }
      if let call = step.call { return call }
    }
    isMoving = false
    for waiter in waiters { waiter.resume() }
    waiters = []
    return nil
  }

  /// Resumes `waiter` when no calls are outstanding.
  mutating func resume(_ waiter: CheckedContinuation<Void, Never>) {
    if isMoving { waiters.append(waiter) } else { waiter.resume() }
  }
}

/// A scene or an application, whose delegate is called when its activation state changes.
protocol Activating: AnyObject, Sendable {
  func withActivation<Value: Sendable>(_ body: (inout Activation) -> Value) -> Value
  nonisolated(nonsending) func callDelegate(_ call: ActivationState.Transition) async
}

extension Activating {
  /// Sets the activation state, and calls the delegate unless a task does so already, which then continues with this state.
  nonisolated(nonsending) func set(
    _ goal: ActivationState, from states: Set<ActivationState>? = nil
  ) async {
    guard withActivation({ $0.move(to: goal, from: states) }) else { return }
    while let call = withActivation({ $0.next() }) { await callDelegate(call) }
  }

  /// Moves to another activation state, and returns after all delegate calls, also those of another task.
  ///
  /// - Parameter states: the states from which it moves, any by default. In others, which the toolkit has reported meanwhile, it
  ///   remains.
  nonisolated(nonsending) func move(
    to goal: ActivationState, from states: Set<ActivationState>? = nil
  ) async {
    await set(goal, from: states)
    await withCheckedContinuation { waiter in withActivation { $0.resume(waiter) } }
  }
}
