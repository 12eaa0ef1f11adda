// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Systemd

/// The program starts of all callers, delayed to their rate limits.
@BrokerActor
final class ProgramStarts {
  private var rates: StartRateLimiter
  private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]
  private var timer: LoopTimer?

  init(perCaller: StartRateLimiter.Rate, inAll: StartRateLimiter.Rate) {
    rates = StartRateLimiter(perCaller: perCaller, inAll: inAll)
  }

  /// Counts a start for a caller if it need not wait for it; otherwise returns `false`.
  func take(for caller: ChargedCaller) -> Bool { rates.take(for: caller.text, at: .now) }

  /// Waits until a caller may start one program.
  ///
  /// Waiting callers take turns.
  func turn(of caller: ChargedCaller) async {
    if take(for: caller) { return }
    // One step, because the continuation may begin in a later turn of the loop, when the caller's turn has passed.
    await withCheckedContinuation { continuation in
      rates.enqueue(caller.text)
      waiting[caller.text, default: []].append(continuation)
      serve()
    }
  }

  /// Takes back the turn of a caller that needs no start any more.
  func giveBack(_ caller: ChargedCaller) {
    rates.giveBack(for: caller.text)
    serve()
  }

  /// Resumes the callers whose turn it is, and schedules itself for the next turn.
  private func serve() {
    timer?.cancel()
    timer = nil
    while let next = rates.next(at: .now) {
      switch next {
      case .start(let caller):
        guard waiting[caller]?.isEmpty == false else { continue }
        let continuation = waiting[caller]?.removeFirst()
        if waiting[caller]?.isEmpty == true { waiting[caller] = nil }
        continuation?.resume()
      case .wait(let duration):
        timer = LoopTimer(on: BrokerActor.loop, after: duration) { [weak self] in self?.serve() }
        return
      }
    }
  }
}
