// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Testing

@testable import UsherCommand

@Suite struct `A question at the terminal` {
  private func question(_ choices: [String]) throws -> TerminalQuestion {
    var delivery = Delivery(application: nil, outcome: .failed)
    (delivery.choices, delivery.urls) = (choices, ["x:1"])
    delivery.titles = choices.isEmpty ? nil : choices.map { "Title of \($0)" }
    return try #require(TerminalQuestion(of: delivery))
  }

  @Test func `is answered by a number or an ID, and asked again after a typing error`() throws {
    let which = try question(["org.a", "chromium@Profile%201"])
    #expect(which.reply("2") == .answer("chromium@Profile%201"))
    #expect(which.reply(" ORG.A ") == .answer("org.a"))
    for line in ["9", "0", "y", "-1", "\(Int.min)", "\(Int.max)"] {
      #expect(which.reply(line) == .unclear("Please type a number from 1 to 2."))
    }
    for line in ["", "  ", "n", "No"] { #expect(which.reply(line) == .cancelled) }
  }

  @Test func `without choices is answered by yes or no`() throws {
    let whether = try question([])
    #expect(whether.reply("y") == .answer("yes") && whether.reply("n") == .answer("no"))
    #expect(whether.reply("") == .cancelled && whether.reply("1") == .cancelled)
  }

  @Test func `whose answer reaches no broker has an error beside the other deliveries`() {
    var asked = Delivery(application: nil, outcome: .failed)
    (asked.choices, asked.urls) = ([], ["x:1"])
    for (error, outcome) in [
      (BusError(.noReply, "it has exited"), Outcome.unknown), (BusError(.accessDenied, "no"), .failed),
    ] {
      let result = OpenResult(error, of: "1", by: .broker)
      let undecided = OpenOperation.undecided(asked, after: result)
      #expect(undecided.outcome == outcome && undecided.error == error.name && undecided.urls == ["x:1"])
      #expect(undecided.message == result.failure?.message && undecided.choices == nil)
    }
  }
}
