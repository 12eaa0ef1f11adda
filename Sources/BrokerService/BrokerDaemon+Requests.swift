import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Logging
import RouteTables

extension BrokerDaemon {
  func read(_ entries: [String: Variant]) throws(BusError) -> OpenOptions {
    do throws(MessageError) { return try OpenOptions(entries) } catch { throw BusError(error) }
  }

  func checked(_ texts: [String]) throws(BusError) -> [URLString] {
    guard !texts.isEmpty else { throw BusError(.invalidRequest, "there is no URL to open") }
    var urls: [URLString] = []
    for text in texts {
      do throws(URLString.Invalid) { urls.append(try URLString(text)) } catch {
        throw BusError(.invalidURL, error.description)
      }
    }
    return urls
  }

  /// What the decision needs of a request.
  func openRequest(
    _ urls: [URLString], _ source: SourceApplication, _ options: OpenOptions
  ) throws(BusError) -> OpenRequest {
    var request = OpenRequest(urls: urls, source: source, hops: options.hops)
    if let target = options.target {
      guard let target = ApplicationID(target) else {
        throw BusError(.invalidRequest, "target: “\(target)” is no desktop-file ID")
      }
      request.target = target
    }
    request.origin = options.origin
    request.answer = options.answer
    request.desktopAction = options.desktopAction
    return request
  }

  func remember(_ record: RequestRecord, under key: RequestKey) {
    requests[key] = record
    requestOrder.append(key)
    guard requestOrder.count > RequestRecord.remembered else { return }
    requests[requestOrder.removeFirst()] = nil
  }

  /// Who is behind `sender`, as a value that a task can carry.
  func facts(of sender: BusName) async -> Result<CallerFacts?, BusError> {
    do throws(BusError) { return .success(try await identification.facts(of: sender)) } catch {
      return .failure(error)
    }
  }

  /// Gives up a request of the caller's.
  func cancel(_ id: String, for sender: BusName) async throws(BusError) {
    let facts = try await identification.facts(of: sender)
    let caller = facts?.userUnit ?? facts?.executable ?? sender.rawValue
    // What is not known, or over, is withdrawn already.
    for (target, ticket) in requests[RequestKey(caller: caller, id: id)]?.tickets ?? [] {
      await target.cancel(ticket)
    }
  }

  func log(_ share: RequestShare, of id: String, _ source: SourceApplication) {
    let what =
      switch share.verdict {
      case .deliver(let application): "to \(application.id)"
      case .run(let command): "run by the route \(command.route)"
      case .ask(let question): "asks by the route \(question.route)"
      case .refuse(let refusal): "refused: \(refusal)"
      }
    log.info(
      "\(share.urls.map(\.redacted).joined(separator: " ")) \(what)",
      metadata: [
        "request": "\(id)", "source": "\(source.id?.rawValue ?? "-") (\(source.assurance.rawValue))",
      ])
  }

  func record(_ result: Result<Receipt, BusError>, of id: String) {
    switch result {
    case .success(let receipt):
      log.info("\(receipt.outcome.rawValue)", metadata: ["request": "\(id)"])
    case .failure(let error):
      log.notice("\(error.name): \(error.message)", metadata: ["request": "\(id)"])
    }
  }
}
