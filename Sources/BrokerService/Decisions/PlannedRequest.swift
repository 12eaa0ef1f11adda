// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop

/// A request with the facts for its decision, the decision, and the policy that made it.
struct PlannedRequest: Sendable {
  let request: OpenRequest
  var groups: [RequestGroup]
  let policy: PolicySnapshot
  /// The texts of the questions that only the caller can put to the user.
  var texts: [Question.Identity: QuestionText] = [:]
  /// The activation token of the last prompt, which is newer than the caller's; `nil` if no prompt returned one.
  var activationToken: String?

  /// A Boolean value that indicates whether no question is open and no answer must be stored.
  var isSettled: Bool { groups.allSatisfy { $0.question == nil && $0.answered.isEmpty } }

  /// Returns the decision for a request beyond the rate of its source.
  static func tooOften(_ asked: OpenRequest, by policy: PolicySnapshot) -> PlannedRequest {
    let refusal = Refusal.tooOften(
      source: asked.caller.questioner?.rawValue ?? asked.caller.source.machine.map(\.title)
        ?? "an unknown program")
    let broker = policy.broker
    // Comparing many URLs with patterns would delay the event loop, although the request is rejected.
    let areCompared = asked.urls.count <= PolicySnapshot.urlsPerTurn
    let links = asked.urls.map {
      RequestGroup.Link(
        requested: $0, url: $0, hasSecret: areCompared ? broker.mayHaveSecret($0) : broker.hasSecrets)
    }
    return PlannedRequest(
      request: asked, groups: [RequestGroup(links: links, verdict: .refuse(refusal))], policy: policy)
  }
}
