// SPDX-License-Identifier: Apache-2.0
import RemoteProtocol

/// The state of a sign-in that the user has allowed, as a state machine without sockets and clocks.
enum SignInState: Equatable {
  /// The relay listens, and has rejected this many requests.
  case waiting(rejections: Int)
  /// The answer has arrived, the relay no longer listens, and the answer is being carried to the machine.
  case carrying
  /// The sign-in has this outcome.
  case finished(Outcome)

  /// The outcome of a sign-in.
  enum Outcome: Equatable {
    /// The program on the machine has answered with this status.
    case carried(status: Int)
    /// The answer could not be carried, because the program does not run, or the connection was lost.
    case notCarried
    /// The answer has not arrived in time.
    case timedOut
    /// Too many requests were not the answer.
    case tooManyRequests
    /// The request has failed, so that the browser did not open the site.
    case cancelled
    /// The machine has started another sign-in at the port.
    case replaced
    /// The relay ends.
    case stopped
  }

  /// An event of a sign-in.
  enum Event {
    /// A request has arrived, with the result of its check.
    case request(Result<CarriedRequest, ExpectedRedirect.Mismatch>)
    /// The program on the machine has answered with this status.
    case carried(status: Int)
    /// The answer could not be carried.
    case notCarried
    /// The time for the current state has passed.
    case timeout
    /// The relay finishes the sign-in.
    case finish(Outcome)
  }

  /// An action that an event requires.
  enum Effect: Equatable {
    /// Reject the request of the event.
    case reject(ExpectedRedirect.Mismatch)
    /// Stop listening, and disconnect all clients but that of the event.
    case stopListening
    /// Carry this request, of the client of the event, to the machine.
    case carry(CarriedRequest)
    /// Show the outcome to the client whose request was carried.
    case show(Outcome)
    /// Release everything.
    case release
  }

  /// The maximum number of requests that are not the answer.
  static let maximumRejections = 64

  /// Applies an event, and returns the actions in order.
  mutating func apply(_ event: Event) -> [Effect] {
    switch (self, event) {
    case (.waiting, .request(.success(let request))):
      self = .carrying
      return [.stopListening, .carry(request)]
    case (.waiting(let rejections), .request(.failure(let mismatch))):
      guard rejections + 1 < Self.maximumRejections else {
        self = .finished(.tooManyRequests)
        return [.reject(mismatch), .release]
      }
      self = .waiting(rejections: rejections + 1)
      return [.reject(mismatch)]
    case (.waiting, .timeout): return finish(.timedOut)
    case (.waiting, .finish(let outcome)): return finish(outcome)
    case (.waiting, .carried), (.waiting, .notCarried): return []
    case (.carrying, .request), (.finished, .request): return [.reject(.late)]
    case (.carrying, .carried(let status)): return show(.carried(status: status))
    case (.carrying, .notCarried), (.carrying, .timeout): return show(.notCarried)
    case (.carrying, .finish(let outcome)): return show(outcome)
    case (.finished, _): return []
    }
  }

  private mutating func finish(_ outcome: Outcome) -> [Effect] {
    self = .finished(outcome)
    return [.release]
  }

  private mutating func show(_ outcome: Outcome) -> [Effect] {
    self = .finished(outcome)
    return [.show(outcome), .release]
  }
}
