// SPDX-License-Identifier: Apache-2.0
import RemoteProtocol
import Testing

@testable import RemoteLinks

/// The state machine of a sign-in that the user has allowed.
@Suite struct `A sign-in that is allowed` {
  private func request() throws -> CarriedRequest {
    try #require(CarriedRequest(host: .name, port: 8_085, target: "/cb?state=a"))
  }

  @Test func `accepts one answer, carries it and shows the outcome`() throws {
    var state = SignInState.waiting(rejections: 0)
    #expect(state.apply(.request(.failure(.path))) == [.reject(.path)])
    #expect(state == .waiting(rejections: 1))
    #expect(state.apply(.request(.success(try request()))) == [.stopListening, .carry(try request())])
    #expect(state == .carrying)
    // A second request is not accepted, even with the right state.
    #expect(state.apply(.request(.success(try request()))) == [.reject(.late)])
    #expect(state.apply(.carried(status: 200)) == [.show(.carried(status: 200)), .release])
    #expect(state == .finished(.carried(status: 200)))
    #expect(state.apply(.request(.success(try request()))) == [.reject(.late)])
    for event in [SignInState.Event.carried(status: 500), .notCarried, .timeout, .finish(.stopped)] {
      #expect(state.apply(event).isEmpty)
    }
    #expect(state == .finished(.carried(status: 200)))
  }

  @Test func `ends without an answer when its time has passed, or when the relay ends it`() {
    for (event, outcome) in [
      (SignInState.Event.timeout, SignInState.Outcome.timedOut), (.finish(.cancelled), .cancelled),
      (.finish(.replaced), .replaced), (.finish(.stopped), .stopped),
    ] {
      var state = SignInState.waiting(rejections: 3)
      #expect(state.apply(event) == [.release] && state == .finished(outcome))
    }
    var state = SignInState.waiting(rejections: 0)
    #expect(state.apply(.carried(status: 200)).isEmpty && state.apply(.notCarried).isEmpty)
    #expect(state == .waiting(rejections: 0))
  }

  @Test func `shows that the answer was not carried`() {
    for (event, outcome) in [
      (SignInState.Event.notCarried, SignInState.Outcome.notCarried), (.timeout, .notCarried),
      (.finish(.stopped), .stopped),
    ] {
      var state = SignInState.carrying
      #expect(state.apply(event) == [.show(outcome), .release] && state == .finished(outcome))
    }
  }

  @Test func `ends after too many other requests`() {
    var state = SignInState.waiting(rejections: 0)
    for _ in 1..<SignInState.maximumRejections {
      #expect(state.apply(.request(.failure(.state))) == [.reject(.state)])
    }
    #expect(state.apply(.request(.failure(.state))) == [.reject(.state), .release])
    #expect(state == .finished(.tooManyRequests))
  }
}
