import BrokerCore
import BusInterfaces
import DBus
import Glibc
import Launching
import RouteTables

/// One request on its way: to the broker, or carried out here where there is none.
struct LinkOpening {
  let request: OpenRequest
  let fallback: URLString?
  let options: OpenOptions
  let id: String

  /// Carries it out; blocks as long as `options` say.
  func carryOut() -> OpenResult {
    do throws(BrokerLink.Failure) {
      // The broker's own time-out says more, so ours comes later; it also covers the broker's start.
      let patience = options.timeout + .seconds(5)
      let receipt = try BrokerLink().ask { bus throws(BusError) in
        try bus.call(
          BrokerInterface.open, at: BrokerInterface.broker, request.urls.map(\.text), options.entries,
          timeout: patience)
      }
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
    let local = LocalRules()
    let opening = DirectOpening(
      rules: local.rules, environment: local.environment, obstacle: obstacle,
      // Standard output is for our own result, and a reader of it does not wait for the program's end.
      output: STDERR_FILENO)
    let substitute = fallback.map { OpenRequest(urls: [$0], source: request.source, hops: request.nextHop) }
    let receipt = opening.open(request, fallback: substitute, options, id: id)
    return OpenResult(receipt, waitingFor: options.wait, by: .usher)
  }
}
