import BrokerCore
import BusInterfaces
import DBus
import Glibc
import Launching
import RouteTables

/// One request on its way: to the broker, or carried out here where there is none.
struct OpenOperation {
  var request: OpenRequest
  let fallback: URLString?
  var options: OpenOptions
  let id: String
  /// Whether a broker may have it already.
  var wasSent = false
  /// Told how far an application is that handles it.
  var tell: RequestSession.Output?
  /// Called when the person at the terminal withdraws it.
  var tellGivingUp: (() -> Void)?

  /// Carries it out, and asks the person at the terminal what a route wants to know, if there is one.
  func carryOutAsking() -> OpenResult {
    let result = carryOut()
    guard TerminalQuestion.isPossible, result.deliveries.contains(where: { $0.choices != nil }) else {
      return result
    }
    var deliveries: [Delivery] = []
    for delivery in result.deliveries {
      guard let question = TerminalQuestion(of: delivery), let answer = question.ask() else {
        deliveries.append(delivery)
        continue
      }
      // Another rule may ask about the same URLs, to which this answer is none; what a route made of them is asked about anew.
      let asked = request.urls.map(\.text)
      let earlier = question.urls.allSatisfy(asked.contains) ? request.answer : nil
      let answers = [earlier, answer].compactMap(\.self).joined(separator: " ")
      let again = answered(answers, question.urls).carryOutAsking()
      // Without deliveries it did not come to a decision, and that is what is to be told.
      guard !again.deliveries.isEmpty else { return again }
      deliveries += again.deliveries
    }
    return OpenResult(
      Receipt(requestID: id, deliveries: deliveries), waitingFor: options.wait, by: result.decider)
  }

  private func answered(_ answer: String, _ urls: [String]) -> OpenOperation {
    var again = OpenOperation(
      request: request, fallback: nil, options: options, id: RequestID.random(), tell: tell)
    again.request.urls = urls.compactMap { try? URLString($0) }
    again.request.answer = answer
    again.options.answer = answer
    again.options.fallback = nil
    again.options.isAgain = false
    again.options.requestID = again.id
    return again
  }

  /// Carries it out; blocks as long as `options` say.
  func carryOut() -> OpenResult {
    do throws(BrokerConnection.Failure) {
      // The broker's own time-out says more, so ours comes later; it also covers the broker's start.
      // What is only asked about is known at once, or to nobody.
      let timeout = options.isAgain ? .seconds(5) : options.timeout + .seconds(5)
      let receipt = try BrokerConnection.open(
        request.urls.map(\.text), options, within: timeout, wasSent: wasSent, telling: tell,
        tellGivingUp: tellGivingUp)
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
      return OpenResult(try Receipt(entries), waitingFor: options.wait, by: .broker)
    } catch {
      let message =
        "the broker's receipt cannot be read: \(error); is it of another version than this command?"
      return OpenResult(BusError(.noReply, message), of: id, by: .broker)
    }
  }

  private func carryOutHere(_ obstacle: String) -> OpenResult {
    let local = LocalPolicy()
    let opening = LocalOpener(
      rules: local.rules, environment: local.environment, obstacle: obstacle,
      // Standard output is for our own result, and a reader of it does not wait for the program's end.
      output: STDERR_FILENO)
    let substitute = fallback.map { OpenRequest(urls: [$0], source: request.source, hops: request.nextHop) }
    let receipt = opening.open(request, fallback: substitute, options, id: id)
    return OpenResult(receipt, waitingFor: options.wait, by: .usher)
  }
}
