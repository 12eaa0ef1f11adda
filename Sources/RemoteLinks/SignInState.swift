// SPDX-License-Identifier: Apache-2.0
import RemoteProtocol

/// The state of a sign-in that the user has allowed, as a state machine without sockets and clocks.
enum SignInState: Equatable {
  /// The relay listens, and has rejected this many requests.
  case waiting(rejections: Int)
  /// The answer has arrived, the relay no longer listens, and the answer is being carried to the machine.
  case carrying
  /// The sign-in has ended.
  case ended(Ending)

  /// The outcome of a sign-in.
  enum Ending: Equatable {
    /// The program on the machine has answered with this status.
    case carried(status: Int)
    /// The answer could not be carried, because the program or the connection is gone.
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
    /// The relay ends the sign-in.
    case end(Ending)
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
    case show(Ending)
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
        self = .ended(.tooManyRequests)
        return [.reject(mismatch), .release]
      }
      self = .waiting(rejections: rejections + 1)
      return [.reject(mismatch)]
    case (.waiting, .timeout): return finish(.timedOut)
    case (.waiting, .end(let ending)): return finish(ending)
    case (.waiting, .carried), (.waiting, .notCarried): return []
    case (.carrying, .request), (.ended, .request): return [.reject(.late)]
    case (.carrying, .carried(let status)): return show(.carried(status: status))
    case (.carrying, .notCarried), (.carrying, .timeout): return show(.notCarried)
    case (.carrying, .end(let ending)): return show(ending)
    case (.ended, _): return []
    }
  }

  private mutating func finish(_ ending: Ending) -> [Effect] {
    self = .ended(ending)
    return [.release]
  }

  private mutating func show(_ ending: Ending) -> [Effect] {
    self = .ended(ending)
    return [.show(ending), .release]
  }
}
