// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Scenes

@Suite struct `Unsent replies` {
  /// The requests whose replies are sent, in order.
  private final class Sent {
    private(set) var requests: [String] = []

    func wait(for request: String, in replies: inout UnsentReplies) {
      replies.whenSent(request) { self.requests.append(request) }
    }
  }

  @Test func `are awaited until the last call of their request is answered`() {
    var replies = UnsentReplies()
    let sent = Sent()
    for request in ["a", "b", "a"] { replies.add(request) }
    #expect(replies.count == 3)
    for request in ["a", "b", "a"] { sent.wait(for: request, in: &replies) }
    replies.remove("a")
    #expect(sent.requests.isEmpty)
    replies.remove("b")
    #expect(sent.requests == ["b"])
    replies.remove("a")
    #expect(sent.requests == ["b", "a", "a"])
    #expect(replies.count == 0)
  }

  @Test func `are not awaited if there are none`() {
    var replies = UnsentReplies()
    let sent = Sent()
    replies.add("a")
    sent.wait(for: "b", in: &replies)
    replies.remove("a")
    sent.wait(for: "a", in: &replies)
    #expect(sent.requests == ["b", "a"])
  }

  @Test func `include those of calls without a request`() {
    var replies = UnsentReplies()
    let sent = Sent()
    replies.add(nil)
    replies.add("a")
    sent.wait(for: "a", in: &replies)
    replies.remove(nil)
    #expect(replies.count == 1)
    #expect(sent.requests.isEmpty)
  }
}
