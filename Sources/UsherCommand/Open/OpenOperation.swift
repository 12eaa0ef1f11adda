// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Glibc
import Launching
import RouteTables

/// An operation that opens one request through the broker, or in this process if there is no broker.
struct OpenOperation {
  var request: OpenRequest
  let fallback: URLString?
  var options: OpenOptions
  let id: String
  /// The progress that makes the operation a success; `nil` for what the options wait for.
  var goal: OpenOptions.Wait?
  /// A Boolean value that is `true` if a broker may already have the request.
  var wasSent = false
  /// A Boolean value that is `false` if this process must not start applications, because there is no display for them.
  var mayStartPrograms = true
  /// The event after which the result does not matter any more.
  var ending: RequestSession.Ending?
  /// Receives the application's progress reports.
  var reportProgress: RequestSession.Output?
  /// Called when the user at the terminal cancels the request.
  var givenUp: (() -> Void)?

  /// Performs the operation, and puts the questions of routes to the user at the terminal, if there is one.
  func carryOutAsking() -> OpenResult {
    let result = carryOut()
    guard TerminalQuestion.isPossible, result.deliveries.contains(where: { $0.choices != nil }) else {
      return result
    }
    var deliveries: [Delivery] = []
    for delivery in result.deliveries {
      guard let question = TerminalQuestion(of: delivery) else {
        deliveries.append(delivery)
        continue
      }
      guard let answer = question.ask() else {
        var cancelled = delivery
        (cancelled.message, cancelled.wasAsked) = (TerminalQuestion.cancelled, true)
        deliveries.append(cancelled)
        continue
      }
      // The earlier answer is repeated only if the URLs are unchanged, because a URL that a route rewrote is decided anew.
      let asked = request.urls.map(\.text)
      let earlier = question.urls.allSatisfy(asked.contains) ? request.answers.reported : nil
      let answers = [earlier, answer].compactMap(\.self).joined(separator: " ")
      // The fallback replaces all deliveries that failed, once. A question about other URLs may be one about the fallback.
      let isOnly = result.deliveries.count == 1 && question.urls.allSatisfy(asked.contains)
      let again = answered(answers, question.urls, fallback: isOnly ? fallback : nil).carryOutAsking()
      // Without deliveries the repeated request was not decided, and its error is the one to report.
      guard !again.deliveries.isEmpty || result.deliveries.count > 1 else { return again }
      deliveries += again.deliveries.isEmpty ? [Self.undecided(delivery, after: again)] : again.deliveries
    }
    return OpenResult(
      Receipt(requestID: id, deliveries: deliveries), waitingFor: goal ?? options.wait, by: result.decider)
  }

  /// Returns a delivery whose question was answered, after the request with the answer has ended in an error without deliveries.
  static func undecided(_ delivery: Delivery, after result: OpenResult) -> Delivery {
    var undecided = delivery
    // The question was answered.
    (undecided.choices, undecided.titles) = (nil, nil)
    undecided.outcome = result.isLost ? .unknown : .failed
    (undecided.error, undecided.message) = (result.failure?.name, result.failure?.message)
    return undecided
  }

  private func answered(_ answer: String, _ urls: [String], fallback: URLString?) -> OpenOperation {
    var again = OpenOperation(
      request: request, fallback: fallback, options: options, id: RequestID.random(), goal: goal,
      ending: ending, reportProgress: reportProgress)
    again.request.urls = urls.compactMap { try? URLString($0) }
    again.request.answers.reported = answer
    again.options.answer = answer
    again.options.fallback = fallback?.text
    again.options.isAgain = false
    again.options.requestID = again.id
    return again
  }

  /// Performs the operation; blocks for at most the timeout of the options.
  func carryOut() -> OpenResult {
    do throws(BrokerConnection.Failure) {
      // Longer than the broker's own timeout, because the broker's error is more precise, and to include the broker's
      // start. A query for an earlier request is answered at once or not at all.
      let timeout = options.isAgain ? .seconds(5) : options.timeout + .seconds(5)
      let receipt = try BrokerConnection.open(
        request.urls.map(\.text), options, within: timeout, wasSent: wasSent, until: ending,
        progress: reportProgress,
        givenUp: givenUp)
      return read(receipt)
    } catch {
      switch error {
      case .answered(let error): return OpenResult(error, of: id, by: .broker)
      case .unreachable(let obstacle): return carryOutHere(obstacle)
      }
    }
  }

  private func read(_ entries: [String: Variant]) -> OpenResult {
    do throws(MessageError) {
      return OpenResult(try Receipt(entries), waitingFor: goal ?? options.wait, by: .broker)
    } catch {
      let message =
        "the broker's receipt cannot be read: \(error); do the versions of the broker and this command differ?"
      return OpenResult(BusError(.noReply, message), of: id, by: .broker)
    }
  }

  private func carryOutHere(_ obstacle: String) -> OpenResult {
    if let sandbox = Sandbox.current {
      let receipt = PortalOpener(sandbox: sandbox, obstacle: obstacle).open(request, options, id: id)
      // The portal does not report more than that it has the link.
      return OpenResult(
        receipt, waitingFor: (goal ?? options.wait) == .handled ? .handled : .accepted, by: .usher)
    }
    guard mayStartPrograms else {
      return OpenResult(
        BusError(.needsBus, "there is no display, and the broker cannot be reached: \(obstacle)"), of: id,
        by: .usher)
    }
    let local = LocalPolicy()
    let opening = LocalOpener(
      rules: local.rules, environment: local.environment, obstacle: obstacle,
      // Standard output is reserved for the result, and its reader does not wait for the program to exit.
      output: STDERR_FILENO)
    let substitute = fallback.map {
      OpenRequest(urls: [$0], source: request.caller.source, hops: request.nextHop)
    }
    let receipt = opening.open(request, fallback: substitute, options, id: id)
    return OpenResult(receipt, waitingFor: goal ?? options.wait, by: .usher)
  }
}
