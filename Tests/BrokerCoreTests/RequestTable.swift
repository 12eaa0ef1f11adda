// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Foundation

/// The parsed table of states and events in `docs/delivery.md`.
struct RequestTable {
  struct Row {
    let line: Int
    let state: String
    let conditions: [Set<String>]
    let event: String
    let becomes: [String]
    let effects: [String]
  }

  let rows: [Row]

  init(of document: String) {
    var rows: [Row] = []
    for (index, line) in document.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard cells.count == 5, StateWords.phases.contains(cells[0]) else { continue }
      func words(_ cell: String, by separator: String) -> [String] {
        cell.components(separatedBy: separator).map { $0.trimmingCharacters(in: .whitespaces) }.filter {
          !$0.isEmpty
        }
      }
      for event in words(cells[2], by: ",") {
        rows.append(
          Row(
            line: index + 1, state: cells[0],
            conditions: words(cells[1], by: ",").map { Set(words($0, by: " or ")) }, event: event,
            becomes: words(cells[3], by: ","), effects: words(cells[4], by: ",")))
      }
    }
    self.rows = rows
  }

  /// Returns the rows for this pair; at most one is valid.
  func rows(of state: RequestState, _ event: RequestEvent) -> [Row] {
    let words = StateWords(state)
    let attributes = words.attributes.union([Self.word(event.way)])
    return rows.filter { row in
      row.state == words.phase && row.event == Self.name(event)
        && row.conditions.allSatisfy { !$0.isDisjoint(with: attributes) }
    }
  }

  static func name(_ event: RequestEvent) -> String {
    switch event {
    case .stored: "stored"
    case .cannotBeStored: "cannot be stored"
    case .nameAcquired: "name acquired"
    case .nameLost: "name lost"
    case .startFailed: "start failed"
    case .processExits(success: true): "process succeeds"
    case .processExits(success: false): "process fails"
    case .sending: "sending"
    case .provenNotDelivered: "proven not delivered"
    case .arrived: "arrived"
    case .replyHandled: "reply: handled"
    case .replyNotHandled: "reply: not handled"
    case .replyFailed: "reply: failed"
    case .replyCancelled: "reply: cancelled"
    case .cancelForwarded: "cancel forwarded"
    case .noReply: "no reply"
    case .callerTimedOut: "caller timed out"
    case .callerLeaves: "caller leaves"
    case .cancelled: "cancel"
    case .brokerStops: "broker stops"
    case .brokerRestarts: "broker restarts"
    case .busDisconnected: "bus disconnected"
    case .interrupted: "interrupted"
    case .expired: "expired"
    }
  }

  static func word(_ way: DeliveryMethod?) -> String {
    switch way {
    case .application1: "Application1"
    case .standard: "standard"
    case .program: "program"
    case .awaitedProgram: "awaited program"
    case nil: ""
    }
  }

  static func text(_ effect: RequestEffect) -> String {
    switch effect {
    case .store: "store"
    case .storeSent: "store as sent"
    case .mark: "mark"
    case .markQueued: "mark as queued"
    case .markDelivered: "mark as delivered"
    case .storeEnd: "store the outcome"
    case .accept: "report accepted"
    case .warn: "warn"
    case .send: "send"
    case .handOver: "continue"
    case .answer(let ending): "answer \(ending)"
    case .answerAccepted: "answer accepted"
    case .tellTarget: "notify the target"
    case .record(let ending): "record \(ending)"
    }
  }

  static let events: [RequestEvent] =
    [
      .stored, .cannotBeStored, .nameAcquired, .nameLost, .startFailed, .processExits(success: true),
      .processExits(success: false), .provenNotDelivered, .arrived, .replyHandled, .replyNotHandled,
      .replyFailed, .replyCancelled, .cancelForwarded,
      .noReply, .callerTimedOut, .callerLeaves, .cancelled, .brokerStops, .brokerRestarts, .busDisconnected,
      .interrupted,
      .expired,
    ] + DeliveryMethod.allCases.map(RequestEvent.sending)

  static let states: [RequestState] =
    EarlierAttempts.allCases.flatMap { earlier in
      [
        .received(earlier: earlier), .queued(earlier: earlier), .unpersisted(earlier: earlier),
        .cancelling(stored: false, earlier: earlier), .cancelling(stored: true, earlier: earlier),
      ]
        + DeliveryMethod.allCases.flatMap { way -> [RequestState] in
          [.markingSent(way, earlier: earlier), .cancelledInFlight(way, earlier: earlier)]
            + [false, true].flatMap { stored -> [RequestState] in
              [
                .sent(way, stored: stored, earlier: earlier),
                .timedOut(way, stored: stored, earlier: earlier),
              ]
            }
        }
    } + [.delivered]
    + RequestOutcome.allCases.map(RequestState.ended)
}

/// A state in the terms of the document.
struct StateWords: Equatable {
  static let phases: Set<String> = [
    "received", "queued", "unpersisted", "marking-sent", "sent", "timed-out", "cancelling",
    "cancelled-in-flight", "delivered", "ended",
  ]

  var phase: String
  var way: DeliveryMethod?
  var stored: Bool?
  var earlier: EarlierAttempts?
  var ending: RequestOutcome?

  init(_ state: RequestState) {
    phase = state.name
    switch state {
    case .received(let earlier), .queued(let earlier), .unpersisted(let earlier): self.earlier = earlier
    case .markingSent(let way, let earlier), .cancelledInFlight(let way, let earlier):
      (self.way, self.earlier) = (way, earlier)
    case .sent(let way, let stored, let earlier), .timedOut(let way, let stored, let earlier):
      (self.way, self.stored, self.earlier) = (way, stored, earlier)
    case .cancelling(let stored, let earlier):
      (way, self.stored, self.earlier) = (.application1, stored, earlier)
    case .delivered: break
    case .ended(let ending): self.ending = ending
    }
  }

  var attributes: Set<String> {
    var words: Set<String> = [RequestTable.word(way)]
    if let stored { words.insert(stored ? "stored" : "unstored") }
    if let earlier { words.insert(Self.word(earlier)) }
    return words
  }

  private static func word(_ earlier: EarlierAttempts) -> String {
    switch earlier {
    case .none: "new"
    case .sent: "resent"
    case .crashed: "again"
    }
  }

  /// Returns the state to which these terms lead; unmentioned properties are retained if the new state has them.
  func moved(by words: [String], _ event: RequestEvent) -> RequestState? {
    var next = self
    if let way = event.way { next.way = way }
    for word in words {
      switch word {
      case "stored", "unstored": next.stored = word == "stored"
      case "resent": next.earlier = .sent
      case "again": next.earlier = .crashed
      default:
        if let ending = RequestOutcome(rawValue: word), next.phase == "ended" {
          next.ending = ending
        } else {
          next.phase = word
        }
      }
    }
    let earlier = next.earlier ?? EarlierAttempts.none
    switch next.phase {
    case "received": return .received(earlier: earlier)
    case "queued": return .queued(earlier: earlier)
    case "unpersisted": return .unpersisted(earlier: earlier)
    case "delivered": return .delivered
    case "ended": return next.ending.map(RequestState.ended)
    default: break
    }
    guard let way = next.way else { return nil }
    switch next.phase {
    case "marking-sent": return .markingSent(way, earlier: earlier)
    case "sent": return .sent(way, stored: next.stored ?? false, earlier: earlier)
    case "timed-out": return .timedOut(way, stored: next.stored ?? false, earlier: earlier)
    case "cancelling": return .cancelling(stored: next.stored ?? false, earlier: earlier)
    case "cancelled-in-flight": return .cancelledInFlight(way, earlier: earlier)
    default: return nil
    }
  }
}

extension RequestEvent {
  var way: DeliveryMethod? { if case .sending(let way) = self { way } else { nil } }
}
