import BrokerCore
import Systemd

/// Lets programs be started no faster than callers may have them started.
actor ProgramStarts {
  private nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private var rates: StartRateLimiter
  private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]
  private var timer: LoopTimer?

  init(on loop: EventLoop, perCaller: StartRateLimiter.Rate, inAll: StartRateLimiter.Rate) {
    self.loop = loop
    rates = StartRateLimiter(perCaller: perCaller, inAll: inAll)
  }

  /// Takes a start for a caller if it need not wait for it.
  func take(for caller: ChargedCaller) -> Bool { rates.take(for: caller.text, at: .now) }

  /// Returns when a caller may have one program started; those that wait take turns.
  func turn(of caller: ChargedCaller) async {
    if take(for: caller) { return }
    rates.enqueue(caller.text)
    await withCheckedContinuation { continuation in
      waiting[caller.text, default: []].append(continuation)
      serve()
    }
  }

  /// Lets those start whose turn it is, and comes back when the next one may.
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
        timer = LoopTimer(on: loop, after: duration) { [weak self] in
          self?.assumeIsolated { $0.serve() }
        }
        return
      }
    }
  }
}
