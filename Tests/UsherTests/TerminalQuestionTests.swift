// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
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
}
