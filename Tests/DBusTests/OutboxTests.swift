// SPDX-License-Identifier: Apache-2.0
import CTestSupport
@testable import DBus
import Foundation
import Systemd
import TestSupport
import Testing

@Suite struct `The queue of outgoing messages` {
  @Test func `is sent in turns, and in order for each receiver`() {
    var queue = FairQueue<String, Int>()
    for number in 0..<300 { queue.append(number, for: "many") }
    queue.append(1_000, for: "one")
    queue.append(2_000, for: "two")
    queue.append(2_001, for: "two")
    #expect(queue.count == 303)
    let first = (0..<5).compactMap { _ in queue.popFirst() }
    #expect(first == [0, 1_000, 2_000, 1, 2_001])
    queue.append(1_001, for: "one")
    var rest: [Int] = []
    while let next = queue.popFirst() { rest.append(next) }
    #expect(rest == [2, 1_001] + Array(3..<300))
    #expect(queue.isEmpty && queue.popFirst() == nil)
  }

  @Test func `passes over receivers that are not ready, and drops what is over`() {
    var queue = FairQueue<String, Int>()
    for number in 0..<4 { queue.append(number, for: "slow") }
    for (number, receiver) in [(10, "a"), (20, "b"), (11, "a")] { queue.append(number, for: receiver) }
    var ready: [Int] = []
    while let next = queue.popFirst(where: { $0 != "slow" }) { ready.append(next) }
    #expect(ready == [10, 20, 11] && queue.count == 4)
    queue.drop(from: "slow") { $0 < 2 }
    queue.drop(from: "a") { _ in true }
    let next = queue.popFirst()
    #expect(next == 2 && queue.count == 1)
    queue.drop(from: "slow") { _ in true }
    #expect(queue.isEmpty && queue.popFirst() == nil)
    queue.append(4, for: "slow")
    let last = queue.popFirst()
    #expect(last == 4 && queue.isEmpty)
  }

  /// The receivers need not exist, because the bus drops messages to disconnected ones.
  @Test func `to one receiver with many replies does not delay a reply to another on a slow bus`()
    async throws
  {
    try await BusFixture.run { fixture in
      let path = fixture.daemon.address.split(separator: "=")[1].split(separator: ",")[0]
      let slow = try PausableBus(before: String(path))
      let server = try await BusConnection.open(slow.address, reconnects: false)
      slow.pause()
      for number in 0..<5_000 {
        try await server.emit(Thing.ticked, from: "/flood", to: ":9.1", Int64(number), "number\(number).")
      }
      try await server.emit(Thing.ticked, from: "/flood", to: ":9.2", 0, "other0.")
      try await server.emit(Thing.ticked, from: "/flood", to: ":9.2", 1, "other1.")
      slow.resume()
      let words = ["other0.", "other1.", "number1000.", "number4998.", "number4999."]
      try await withDeadline(.seconds(240), "all that was sent") {
        while slow.places(of: words) == nil { try await Task.sleep(for: .milliseconds(10)) }
      }
      let places = try #require(slow.places(of: words))
      #expect(places == places.sorted())
      await server.close()
    }
  }

  @Test func `is written before the connection closes`() async throws {
    try await BusFixture.run { fixture in
      let path = fixture.daemon.address.split(separator: "=")[1].split(separator: ",")[0]
      let slow = try PausableBus(before: String(path))
      let server = try await BusConnection.open(slow.address, reconnects: false)
      slow.pause()
      for number in 0..<1_000 {
        try await server.emit(Thing.ticked, from: "/flood", to: ":9.1", Int64(number), "number\(number).")
      }
      slow.resume()
      await server.close()
      try await withDeadline(.seconds(240), "all that was sent") {
        while slow.places(of: ["number999."]) == nil { try await Task.sleep(for: .milliseconds(10)) }
      }
    }
  }

  @Test func `is dropped if the bus does not read, and the loop continues`() async throws {
    try await BusFixture.run { fixture in
      let path = fixture.daemon.address.split(separator: "=")[1].split(separator: ",")[0]
      let (stopped, loop) = (try PausableBus(before: String(path)), EventLoop())
      let server = try await BusConnection.open(stopped.address, on: loop, reconnects: false)
      stopped.pause()
      for number in 0..<1_000 {
        try await server.emit(Thing.ticked, from: "/flood", to: ":9.1", Int64(number), "number\(number).")
      }
      await server.close()
      // The loop that closed the connection serves other connections again.
      let client = try await BusConnection.open(fixture.address, on: loop)
      #expect(try await client.requestName("org.example.After") == .owned)
      await client.close()
    }
  }
}
