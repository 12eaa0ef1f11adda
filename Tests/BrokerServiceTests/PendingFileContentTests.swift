// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrokerService

@Suite struct `The content of a file of requests` {
  @Test func `has requests removed in batches, at once if their answers are long`() {
    var content = PendingFileContent()
    for number in 1...101 { content.noteStored(Int64(number)) }
    let early = content.forget(Array(1...99), size: 0)
    // A request that is not stored any more is not removed twice.
    let batch = content.forget([99, 100], size: 0)
    let long = content.forget([101], size: BrokerLimits.forgottenAnswers)
    #expect(early.isEmpty)
    #expect(batch == Array(1...100))
    #expect(long == [101])
    #expect(!content.contains(1) && !content.contains(101))
  }

  @Test func `knows which requests are stored, and which could not be removed`() {
    var content = PendingFileContent()
    content.noteStored(1)
    let wasStored = content.noteRemoval(1)
    let isStored = content.noteRemoval(1)
    content.noteUnremoved([1])
    let wasLeft = content.noteReplacement(1)
    let isLeft = content.noteReplacement(1)
    #expect(wasStored && !isStored && wasLeft && !isLeft)
  }
}
