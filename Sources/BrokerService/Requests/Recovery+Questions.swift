// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import RouteTables
import State

extension Recovery {
  /// Decides a stored request again about which an earlier broker asked the user, whose caller has left, and asks again.
  ///
  /// An expired one ends instead.
  func resumeQuestion(_ pending: PendingRequest, about content: String) throws(MessageError) {
    let details = try PersistedDetails(pending.details)
    let question = try StoredQuestion(content)
    guard let urls = try? RequestDecoder.urls(question.urls), !urls.isEmpty else {
      throw MessageError(.wrongValue(allowed: "the URLs of the question"), at: "urls")
    }
    let request = ActiveRequest(resuming: pending, details)
    (request.facts.container, request.facts.hops) = (question.container, question.hops)
    request.facts.isByClick = question.isByClick
    guard request.times.expires > .now else {
      deliveries.endExpired(pending, request, askingAbout: question.urls, from: details.source)
      return journal.removeNow(pending.number)
    }
    request.resumeQuestion(charging: quotas, question.urls)
    journal.resumeQuestion(pending)
    _ = registry.begin(request) { () async throws(BusError) in
      let planned: PlannedRequest
      do throws(BusError) {
        planned = try await self.decisions.resume(urls, for: request, from: details.source)
      } catch {
        request.left?.end()
        if error.brokerError == .timeout {
          self.deliveries.endExpired(
            pending, request, askingAbout: question.urls, from: details.source, because: error.message)
        }
        self.journal.removeNow(request.number)
        throw error
      }
      let handles = self.deliveries.start(planned, for: request, request.options, after: [])
      return try await self.completion.receipt(
        of: request, handles, substitutes: [], from: planned.request.caller.source)
    }
  }
}
