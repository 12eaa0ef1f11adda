// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrokerService

@Suite struct `A promise` {
  @Test func `Returns its first value to later readers`() async {
    let promise = Promise<Int>()
    #expect(promise.fulfil(1))
    #expect(!promise.fulfil(2))
    #expect(await promise.value == 1)
    #expect(await promise.value == 1)
  }

  @Test func `Wakes all waiting tasks`() async {
    let promise = Promise<Int>()
    let waiting = (0..<8).map { number in Task { await promise.value + number } }
    // A task that has not called yet by then gets the value immediately.
    await Task.yield()
    promise.fulfil(10)
    for (number, task) in waiting.enumerated() { #expect(await task.value == 10 + number) }
  }
}
