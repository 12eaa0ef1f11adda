// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import RouteTables
import TestSupport
import Testing

@Suite(.computes) struct `A redirect chain` {
  private let now = ContinuousClock.now

  private func id(_ text: String) throws -> ApplicationID { try #require(ApplicationID(text)) }

  private func group(_ url: String, to application: String) throws -> RequestGroup {
    let entry = DesktopEntry(file: KeyFile(bytes: Array("[Desktop Entry]\nType=Application\n".utf8)))
    let url = try URLString(url)
    return RequestGroup(
      links: [RequestGroup.Link(requested: url, url: url, hasSecret: false)],
      verdict: .deliver(TargetApplication(id: try id(application), entry: entry)))
  }

  private func request(
    _ url: String, from source: String?, in sandbox: String? = nil, isByClick: Bool = false
  ) throws -> OpenRequest {
    var request = OpenRequest(
      urls: [try URLString(url)],
      source: try source.map { SourceApplication(try id($0), .unit) } ?? .unknown)
    request.caller.isByClick = isByClick
    request.caller.sandbox = try sandbox.map { SourceApplication(try id($0), .sandbox) }
    return request
  }

  /// Returns the applications in the chain before the rejection, with one step a second.
  private func refusal(
    of steps: [(String?, String)], url: String = "x:1", after pause: Duration = .seconds(1),
    isByClick: Bool = false
  ) throws -> Refusal? {
    var chains = LoopDetector()
    for (number, (source, target)) in steps.enumerated() {
      let followed = chains.follow(
        [try group(url, to: target)], of: try request(url, from: source, isByClick: isByClick),
        at: now + pause * number)
      if case .refuse(let refusal) = followed[0].verdict {
        #expect(number == steps.count - 1, "stopped before its end")
        return refusal
      }
    }
    return nil
  }

  @Test func `from A to B and back to A is stopped, and both are named`() throws {
    let refusal = try refusal(of: [("a.A", "b.B"), ("b.B", "a.A")])
    #expect(refusal == .redirectLoop([try id("a.A"), try id("b.B"), try id("a.A")]))
    #expect(refusal?.description.contains("a.A → b.B → a.A") == true)
  }

  @Test func `is stopped before it returns to an application`() throws {
    #expect(try refusal(of: [(nil, "b.B"), ("b.B", "b.B")]) != nil)
    #expect(try refusal(of: [(nil, "a.A"), ("a.A", "b.B"), ("b.B", "c.C"), ("c.C", "a.A")]) != nil)
  }

  /// Tests chains whose second application receives or opens the URL as the part that it claims to be.
  @Test func `is not left by an application that claims to be a part of itself`() throws {
    let (own, part, other) = ("a.A", "a.A.Part", "b.B")
    for (target, source) in [
      (own, part), (part, part), (own, own), (part, own), (part, "a.A.Other"),
    ] {
      var chains = LoopDetector()
      _ = chains.follow([try group("x:1", to: target)], of: try request("x:1", from: other), at: now)
      let back = try request("x:1", from: source, in: own)
      let followed = chains.follow([try group("x:1", to: other)], of: back, at: now)
      #expect(
        followed[0].verdict == .refuse(.redirectLoop([try id(other), try id(target), try id(other)])),
        "\(target) \(source)")
    }
    for target in [own, part] {
      var chains = LoopDetector()
      let first = try request("x:1", from: part, in: own)
      _ = chains.follow([try group("x:1", to: other)], of: first, at: now)
      let back = chains.follow(
        [try group("x:1", to: target)], of: try request("x:1", from: other), at: now)
      guard case .refuse(.redirectLoop) = back[0].verdict else { return #expect(Bool(false), "\(target)") }
    }
  }

  @Test func `may be repeated by an application that did not receive the URL`() throws {
    #expect(try refusal(of: Array(repeating: ("a.A", "b.B"), count: 20)) == nil)
    #expect(try refusal(of: Array(repeating: (nil, "b.B"), count: 20)) == nil)
    #expect(try refusal(of: [("a.A", "a.A"), (nil, "a.A")]) == nil)
  }

  @Test func `may return after a while, or by a user click`() throws {
    let steps: [(String?, String)] = [("a.A", "b.B"), ("b.B", "a.A")]
    #expect(try refusal(of: steps, after: .seconds(11)) == nil)
    #expect(try refusal(of: steps, isByClick: true) == nil)
  }

  @Test func `does not affect other links`() throws {
    var chains = LoopDetector()
    for number in 0..<2_500 {
      let url = "x:\(number)"
      for (source, target) in [("a.A", "b.B"), ("c.C", "a.A")] {
        let followed = chains.follow(
          [try group(url, to: target)], of: try request(url, from: source), at: now)
        #expect(followed[0].application == target)
      }
    }
  }
}

@Suite(.computes) struct `The rate limit of a source` {
  @Test func `is thirty links in ten seconds for each source`() {
    let now = ContinuousClock.now
    var rates = RateLimiter()
    func taken(_ source: String, after time: Duration) -> Bool { rates.take(source, at: now + time) }
    let first = (0..<30).map { taken("a", after: .milliseconds(100 * $0)) }
    #expect(first == Array(repeating: true, count: 30))
    // Rejected links do not count.
    let later = [
      taken("a", after: .seconds(9)), taken("b", after: .seconds(9)), taken("a", after: .seconds(10)),
      taken("a", after: .seconds(10)),
    ]
    #expect(later == [false, true, true, false])
    // A request counts with all of its links, or not at all.
    var many = RateLimiter()
    let counts = [31, 20, 11, 10, 1, 0].map { many.take("a", links: $0, at: now) }
    #expect(counts == [false, true, false, true, false, false])
    let others = (0..<5_000).map { taken("c\($0)", after: .zero) }
    #expect(!others.contains(false))
    var few = RateLimiter(maximum: 2, interval: .seconds(1))
    #expect([0, 0, 0, 1].map { few.take("a", at: now + .seconds($0)) } == [true, true, false, true])
  }
}
