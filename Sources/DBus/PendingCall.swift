// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Systemd

// @unchecked: used only on the connection's loop, or by the one thread of a blocking connection.
/// A call that waits for its reply.
final class PendingCall: @unchecked Sendable {
  private enum State {
    case new
    case waiting(BusHandle, slot: OpaquePointer, (Result<BusMessage, BusError>) -> Void)
    case finished
  }
  private var state = State.new
  private var deadline: ContinuousClock.Instant?

  /// Sends `message` and calls `completion` exactly once: with the reply, the error, or the cancellation.
  func start(
    _ handle: BusHandle, message: BusMessage, timeout: Duration?,
    _ completion: @escaping (Result<BusMessage, BusError>) -> Void
  ) {
    guard case .new = state else { return completion(.failure(.cancelled)) }
    deadline = timeout.map { .now + $0 }
    var slot: OpaquePointer?
    let data = Unmanaged.passRetained(self)
    // At least 1, because 0 would mean sd-bus's own timeout of 25 s.
    let result = sd_bus_call_async(
      handle.pointer, &slot, message.pointer,
      { reply, data, _ in
        guard let data, let reply else { return 0 }
        Unmanaged<PendingCall>.fromOpaque(data).takeUnretainedValue().finish(
          with: BusMessage(borrowing: reply))
        return 0
      }, data.toOpaque(), timeout.map { max($0.microseconds, 1) } ?? .max)
    guard result >= 0, let slot else {
      data.release()
      state = .finished
      return completion(.failure(BusError(errno: result, "the call cannot be sent")))
    }
    state = .waiting(handle, slot: slot, completion)
    handle.calls[ObjectIdentifier(self)] = self
  }

  /// Cancels the call; a later reply is dropped.
  func cancel() { end(.failure(.cancelled)) }

  /// Ends the call because its connection was closed, so that no reply can arrive.
  func disconnect() { end(.failure(BusError(.disconnected, "the connection was closed"))) }

  private func finish(with reply: BusMessage) {
    guard var error = reply.error else { return end(.success(reply)) }
    // sd-bus also reports its own timeout and a lost connection as NoReply. Distinguish them from a NoReply of the bus, which
    // means that the peer disconnected.
    if error.busFailure == .noReply {
      if case .waiting(let handle, _, _) = state, sd_bus_is_open(handle.pointer) <= 0 {
        error = BusError(.disconnected, "the connection was lost")
      } else if let deadline, deadline <= .now {
        error = BusError(.timeout, "no reply in time")
      }
    }
    end(.failure(error))
  }

  private func end(_ result: Result<BusMessage, BusError>) {
    let before = state
    state = .finished
    guard case .waiting(let handle, let slot, let completion) = before else { return }
    handle.calls[ObjectIdentifier(self)] = nil
    sd_bus_slot_unref(slot)
    Unmanaged.passUnretained(self).release()
    completion(result)
  }
}

extension BusError {
  /// The error of a call whose task was cancelled.
  static let cancelled = BusError(.cancelled, "the call was cancelled")
}
