// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

@Suite(.computes) struct `A chain of starts` {
  private let begin = ContinuousClock.now

  /// Forwards a request repeatedly, with a pause in between.
  ///
  /// Returns the hops of each repetition, up to the first rejection or to the last of `rounds`.
  private func hops(
    rounds: Int, every pause: Duration = .seconds(10), source: SourceApplication = .unknown,
    url: (Int) -> String, token: (Int) -> String?
  ) throws -> [UInt32] {
    var counter = HopCounter()
    var tokens = ActivationTokens()
    var counts: [UInt32] = []
    var inherited: UInt32?
    for round in 0..<rounds {
      var request = OpenRequest(urls: [try URLString(url(round))], source: source)
      if let inherited { request.hops = inherited + 1 }
      request.caller.isByClick = token(round).map { tokens.consume($0) } ?? false
      request.hops = counter.hops(of: request, at: begin + pause * round)
      counts.append(request.hops)
      if request.hops > OpenRequest.maximumHops { break }
      inherited = request.hops
    }
    return counts
  }

  private static let refused = OpenRequest.maximumHops + 1

  @Test func `with a user action at each step is no loop, however long it is`() throws {
    let counts = try hops(rounds: 100) {
      "x:\($0)"
    } token: {
      "token \($0)"
    }
    #expect(counts == [UInt32](repeating: 0, count: 100))
  }

  @Test func `without activation tokens ends after eight hops`() throws {
    let counts = try hops(rounds: 100) {
      "x:\($0)"
    } token: { _ in
      nil
    }
    #expect(counts == Array(0...Self.refused))
  }

  @Test func `that reuses the activation token of its start ends after eight hops`() throws {
    let counts = try hops(rounds: 100) {
      "x:\($0)"
    } token: { _ in
      "the first one"
    }
    #expect(counts == Array(0...Self.refused))
  }

  /// GIO and KDE create a token for each start, even without a user.
  @Test(arguments: [1, 2, 3], [0, 20])
  func `that returns to a URL is a loop, whatever activation tokens it has`(urls: Int, seconds: Int) throws {
    // Tested also with a first link of a running program.
    for others in 0...1 {
      let counts = try hops(rounds: 100, every: .seconds(seconds)) {
        $0 < others ? "y:\($0)" : "x:\($0 % urls)"
      } token: {
        "token \($0)"
      }
      let restarts = min(urls * HopCounter.maximumRestartsOfURL, HopCounter.maximumRestartsOfSource)
      #expect(counts.last == Self.refused && counts.count <= others + 1 + restarts + 9, "\(counts)")
    }
  }

  @Test func `with another URL and token each time ends if it is faster than a user`() throws {
    let fast = try hops(rounds: 100, every: .milliseconds(100)) {
      "x:\($0)"
    } token: {
      "token \($0)"
    }
    #expect(fast.last == Self.refused && fast.count == 1 + HopCounter.maximumRestartsOfSource + 9, "\(fast)")
    let slow = try hops(rounds: 100, every: .seconds(8)) {
      "x:\($0)"
    } token: {
      "token \($0)"
    }
    #expect(slow.allSatisfy { $0 == 0 })
  }

  @Test func `from a sandbox cannot reset its count`() throws {
    let application = try #require(ApplicationID("org.example.Boxed" as String))
    let source = SourceApplication(application, .sandbox)
    let counts = try hops(rounds: 100, source: source) {
      "x:\($0)"
    } token: {
      "token \($0)"
    }
    #expect(counts.last == Self.refused)
  }

  /// The program has inherited the maximum number of hops, and opens one link repeatedly.
  @Test func `that a user continues in the same program is no loop`() throws {
    var counter = HopCounter()
    func hops(_ url: String, isByClick: Bool = true, after seconds: Int) throws -> UInt32 {
      var request = OpenRequest(urls: [try URLString(url)], hops: Self.refused)
      request.caller.isByClick = isByClick
      return counter.hops(of: request, at: begin + .seconds(seconds))
    }
    // Without a token the link is rejected, and a click opens it.
    #expect(try hops("x:1", isByClick: false, after: 0) == Self.refused)
    for second in 1...HopCounter.maximumRestartsOfURL {
      #expect(try hops("x:1", after: second) == 0)
    }
    // A program that generates tokens exceeds the limit; another link is opened.
    #expect(try hops("x:1", after: 9) == Self.refused)
    #expect(try hops("x:2", after: 10) == 0)
    #expect(try hops("x:1", after: 700) == 0)
  }

  @Test func `that opens a URL every ten minutes is no loop`() throws {
    let counts = try hops(rounds: 20, every: HopCounter.memory) { _ in
      "x:1"
    } token: {
      "token \($0)"
    }
    #expect(counts.allSatisfy { $0 == 0 }, "\(counts)")
  }

  @Test func `is counted for each source, even during a flood`() throws {
    var counter = HopCounter()
    func hops(_ number: Int, from source: String) throws -> UInt32 {
      let application = try #require(ApplicationID(source))
      var request = OpenRequest(
        urls: [try URLString("x:\(source)/\(number)")], source: SourceApplication(application, .unit), hops: 5
      )
      request.caller.isByClick = true
      return counter.hops(of: request, at: begin)
    }
    let flood = try (0..<20_000).map { try hops($0, from: "org.example.Flood") }
    #expect(flood.count { $0 == 0 } == HopCounter.maximumRestartsOfSource)
    #expect(try hops(1, from: "org.example.Other") == 0)
  }

  @Test func `is counted once for sources that state another name each time`() throws {
    var counter = HopCounter()
    let counts = try (0...HopCounter.maximumRestartsOfSource).map { number in
      let application = try #require(ApplicationID("org.example.Claimed\(number)"))
      var request = OpenRequest(
        urls: [try URLString("x:\(number)")], source: SourceApplication(application, .claimed), hops: 5)
      request.caller.isByClick = true
      return counter.hops(of: request, at: begin)
    }
    #expect(counts.count { $0 == 0 } == HopCounter.maximumRestartsOfSource, "\(counts)")
  }

  @Test func `counts each activation token once, also after many others`() {
    var tokens = ActivationTokens()
    #expect(tokens.consume("click") && !tokens.consume("click"))
    tokens.record("of a program")
    for number in 1..<ActivationTokens.capacity { tokens.record("\(number)") }
    #expect(!tokens.consume("click") && !tokens.consume("of a program") && tokens.consume("another"))
  }
}
