// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Foundation
import TestSupport
import Testing

@Suite struct `The state machine of a request` {
  /// Compares every pair of state and event with the document: at most one row, and without a row nothing changes.
  @Test func `agrees with docs/delivery.md in every state and for every event`() throws {
    let document = try BuiltProducts.template("docs/delivery.md")
    let table = RequestTable(of: document)
    var used: Set<Int> = []
    for state in RequestTable.states {
      for event in RequestTable.events {
        let rows = table.rows(of: state, event)
        var life = RequestStateMachine(state)
        let effects = life.take(event).map(RequestTable.text)
        guard let row = rows.first else {
          #expect(life.state == state && effects.isEmpty, "\(state) and \(event) is not in the table")
          continue
        }
        used.insert(row.line)
        #expect(rows.count == 1, "\(state) and \(event) is in the table twice: \(rows.map(\.line))")
        #expect(
          life.state == StateWords(state).moved(by: row.becomes, event),
          "line \(row.line): \(state) and \(event) becomes \(life.state)")
        #expect(effects == row.effects, "line \(row.line): \(state) and \(event)")
      }
    }
    let unused = table.rows.map(\.line).filter { !used.contains($0) }
    #expect(unused.isEmpty, "lines of the table that no pair uses: \(unused)")
  }

  @Test func `has no transition out of the final state`() {
    for ending in RequestOutcome.allCases {
      for event in RequestTable.events {
        var life = RequestStateMachine(.ended(ending))
        #expect(life.take(event).isEmpty && life.state == .ended(ending))
      }
    }
  }

  /// A request that is reported as not delivered was never sent, also by an earlier broker, or its target proved that.
  @Test func `withdraws only requests that no attempt can have delivered`() {
    for state in RequestTable.states {
      for event in RequestTable.events {
        var life = RequestStateMachine(state)
        let (wasWaiting, earlier) = (life.isWaiting, life.earlier)
        let effects = life.take(event)
        guard effects.contains(.answer(.withdrawn)) || effects.contains(.answer(.notDelivered)) else {
          continue
        }
        let isProven =
          event == .provenNotDelivered && earlier == .none
          || event == .replyCancelled && earlier != .crashed
        #expect(wasWaiting && earlier == .none || isProven, "\(state) and \(event)")
      }
    }
  }

  /// The application may still have what an earlier broker has sent.
  @Test func `sends the cancellation of a request that an earlier broker has sent to its application`() {
    var life = RequestStateMachine()
    for event in [RequestEvent.stored, .sending(.application1), .stored, .brokerRestarts] {
      _ = life.take(event)
    }
    #expect(life.state == .queued(earlier: .sent))
    #expect(life.take(.cancelled) == [.storeEnd(.unknown), .answer(.unknown), .tellTarget])
  }
}
