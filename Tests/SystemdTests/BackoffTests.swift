// SPDX-License-Identifier: Apache-2.0
import Systemd
import Testing

@Suite struct `The pauses between attempts` {
  @Test func `double up to a minute`() {
    var backoff = Backoff()
    #expect((1...8).map { _ in backoff.next() } == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
  }

  @Test func `double up to another maximum`() {
    var backoff = Backoff(from: .milliseconds(50), upTo: .milliseconds(400))
    #expect((1...5).map { _ in backoff.next() } == [50, 100, 200, 400, 400].map { .milliseconds($0) })
  }

  @Test func `begin again after an attempt that has succeeded`() {
    var backoff = Backoff(from: .seconds(3))
    #expect(backoff.next() == .seconds(3) && backoff.next() == .seconds(6))
    backoff.reset()
    #expect(backoff.next() == .seconds(3) && backoff.next() == .seconds(6))
  }
}
