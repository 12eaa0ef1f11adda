import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Logging
import RouteTables
import Systemd

extension BrokerDaemon {
  func read(_ entries: [String: Variant]) throws(BusError) -> OpenOptions {
    do throws(MessageError) { return try OpenOptions(entries) } catch { throw BusError(error) }
  }

  /// What the text may be, before it is known what is installed.
  func target(of options: OpenOptions) throws(BusError) -> ApplicationID? {
    guard let text = options.target else { return nil }
    guard let id = ApplicationID(text) else {
      throw BusError(.invalidRequest, "target: “\(text)” is no desktop-file ID")
    }
    return id
  }

  /// The URLs, of which there may be none where the options say what else is to be done.
  func checked(_ texts: [String], for options: OpenOptions) throws(BusError) -> [URLString] {
    let urls = try checked(texts)
    var request = OpenRequest(urls: urls, target: try target(of: options))
    request.reason = options.reason.rawValue
    request.desktopAction = options.desktopAction
    if let diagnostic = request.diagnostic { throw BusError(.invalidRequest, diagnostic) }
    return urls
  }

  func checked(_ texts: [String]) throws(BusError) -> [URLString] {
    var urls: [URLString] = []
    for text in texts {
      do throws(URLString.Invalid) { urls.append(try URLString(text)) } catch {
        throw BusError(.invalidURL, error.description)
      }
    }
    return urls
  }

  /// What the decision by `rules` needs of a request, but for what only some routes ask for.
  func openRequest(
    _ urls: [URLString], _ source: SourceApplication, _ options: OpenOptions, _ rules: PolicySnapshot
  ) async throws(BusError) -> OpenRequest {
    var request = OpenRequest(urls: urls, source: source, hops: options.hops)
    _ = try target(of: options)
    request.target = await id(spelled: options.target, rules)
    request.reason = options.reason.rawValue
    request.isUniversalLinksOnly = options.universalLinksOnly
    request.origin = options.origin
    request.answer = options.answer
    request.isByClick = options.activationToken != nil
    request.desktopAction = options.desktopAction
    return request
  }

  /// The applications that run.
  func running() async -> Set<ApplicationID> {
    // A bus that does not answer has nobody on it to be signalled.
    let names = (try? await bus.call(BusDaemon.listNames, at: .bus)) ?? []
    return Set(names.compactMap { ApplicationID(rawValue: $0) })
  }

  /// Keeps the request that was just answered, and forgets those that nobody will ask for again, or that were answered
  /// first where they are too many.
  ///
  /// A caller may be answered long before all is handed over: such a request is kept until then.
  func keepAnswered(_ request: ActiveRequest) {
    if isOver(request.key) {
      remember(request.key, isNamed: request.options.requestID != nil)
    } else {
      openParts.append((request.key, request.options.requestID != nil))
    }
    // One that was open may be over by now; each answer looks at one.
    guard !openParts.isEmpty else { return }
    nextOpen = (nextOpen + 1) % openParts.count
    let (key, isNamed) = openParts[nextOpen]
    guard isOver(key) else { return }
    openParts.swapAt(nextOpen, openParts.count - 1)
    openParts.removeLast()
    remember(key, isNamed: isNamed)
  }

  private func isOver(_ key: RequestKey) -> Bool {
    requests[key]?.tickets.allSatisfy { target, ticket in target.assumeIsolated { $0.isOver(ticket) } }
      ?? true
  }

  private func remember(_ key: RequestKey, isNamed: Bool) {
    // Without a name of its own it cannot be asked for again.
    guard isNamed else { return drop(key) }
    if let dropped = answered.add(key) { drop(dropped) }
  }

  private func drop(_ key: RequestKey) {
    guard let record = requests.removeValue(forKey: key) else { return }
    forget([record.number])
  }

  /// Takes requests off what is written down.
  func forget(_ numbers: [Int64]) { journal.assumeIsolated { $0.forget(numbers) } }

  /// Looks at who `requester` is and asks for the environment, both at once.
  func look(at requester: CallerEndpoint) -> AdmissionQueue.Look {
    let environment = loop.start { await self.currentEnvironment() }
    return loop.start {
      do throws(BusError) {
        let facts = try await self.identification.look(at: requester)?.facts
        return .success(CallerContext(facts: facts, environment: await environment.value))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Gives up a request of the caller's.
  func cancel(_ id: String, for sender: BusName) async throws(BusError) {
    // Its Open may have arrived right before it, and still be on its way into the queue.
    let previous = admissions.last(of: .connection(sender))
    let facts = try await identification.facts(of: sender)
    await previous?.value
    let caller = facts?.scope ?? sender.rawValue
    let key = RequestKey(caller: caller, id: id)
    requests[key]?.isWithdrawn = true
    requests[key]?.asking?.cancel()
    // What is not known, or over, is withdrawn already.
    for (target, ticket) in requests[key]?.tickets ?? [] {
      await target.cancel(ticket)
    }
  }

  /// Writes to the log where a part of a request goes, once it is on its way.
  func log(_ share: RequestGroup, of id: String, _ source: SourceApplication) {
    loop.submitAfterwards { [log] in
      let what =
        switch share.verdict {
        case .deliver(let application): "to \(application.id)"
        case .run(let command): "run by the route \(command.route)"
        case .ask(let question): "\(question.asker) asks"
        case .refuse(let refusal): "refused: \(refusal)"
        }
      let urls = share.urls.map(\.redacted).joined(separator: " ")
      log.info(
        "\(urls.isEmpty ? "a request without a URL" : urls) \(what)",
        metadata: ["request": "\(id)", "source": "\(source)"])
    }
  }

  /// Writes to the log what became of a request.
  func record(_ result: Result<Receipt, BusError>, of id: String) {
    switch result {
    case .success(let receipt):
      log.info("\(receipt.outcome.rawValue)", metadata: ["request": "\(id)"])
    case .failure(let error):
      // What an application says of a link may quote it; its caller alone is told.
      let message = error.brokerError == .targetFailed ? "" : ": \(error.message)"
      log.notice("\(error.name)\(message)", metadata: ["request": "\(id)"])
    }
  }
}
