// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Testing

@testable import BrokerService

@Suite struct `The pause after a question of a machine` {
  @BrokerActor
  @Test func `begins with a refusal, or with the second withdrawal`() throws {
    let machine = try #require(RemoteMachine("build"))
    let refused = RefusalPause()
    #expect(refused.obstacle(for: machine) == nil)
    refused.begin()
    #expect(refused.obstacle(for: machine) != nil)
    let withdrawn = RefusalPause()
    withdrawn.noteWithdrawal()
    #expect(withdrawn.obstacle(for: machine) == nil)
    withdrawn.noteWithdrawal()
    #expect(withdrawn.obstacle(for: machine) != nil)
  }
}
