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

  /// Returns the target of the options, before the installed applications are known; `nil` if there is none.
  func target(of options: OpenOptions) throws(BusError) -> ApplicationID? {
    guard let text = options.target else { return nil }
    guard let id = ApplicationID(text) else {
      throw BusError(.invalidRequest, "target: “\(text)” is not a desktop-file ID")
    }
    return id
  }

  /// Parses the URLs of a request.
  ///
  /// The array may be empty if the options have another launch reason and a target.
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

  /// Returns the request for a decision by `rules`, without the parts that only some routes need.
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

  /// Returns the running applications, which own their bus names.
  func running() async -> Set<ApplicationID> {
    // If the bus does not reply, no application can be called either.
    let names = (try? await bus.call(BusDaemon.listNames, at: .bus)) ?? []
    return Set(names.compactMap { ApplicationID(rawValue: $0) })
  }

  /// Retains an answered request so that it can be repeated, and drops requests without an ID and the oldest ones beyond the limit.
  ///
  /// A caller may receive its answer long before all parts are delivered; such a request is retained until then.
  func keepAnswered(_ request: ActiveRequest) {
    if isOver(request.key) {
      remember(request.key, isNamed: request.options.requestID != nil)
    } else {
      openParts.append((request.key, request.options.requestID != nil))
    }
    // An older request may be finished by now. Checking one for each answer keeps the cost constant.
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
    // Without an ID from the caller, the request cannot be repeated.
    guard isNamed else { return drop(key) }
    if let dropped = answered.add(key) { drop(dropped) }
  }

  private func drop(_ key: RequestKey) {
    guard let record = requests.removeValue(forKey: key) else { return }
    forget([record.number])
  }

  /// Removes requests from the journal.
  func forget(_ numbers: [Int64]) { journal.assumeIsolated { $0.forget(numbers) } }

  /// Starts to identify `requester` and to query the environment, both concurrently.
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

  /// Cancels a request of the caller.
  func cancel(_ id: String, for sender: BusName) async throws(BusError) {
    // The caller's Open call may have arrived just before and may not be admitted yet.
    let previous = admissions.last(of: .connection(sender))
    let facts = try await identification.facts(of: sender)
    await previous?.value
    let caller = facts?.scope ?? sender.rawValue
    let key = RequestKey(caller: caller, id: id)
    requests[key]?.isWithdrawn = true
    requests[key]?.asking?.cancel()
    // An unknown or finished request needs no cancellation.
    for (target, ticket) in requests[key]?.tickets ?? [] {
      await target.cancel(ticket)
    }
  }

  /// Logs the verdict on a part of a request, after the current event is handled.
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

  /// Logs the result of a request.
  func record(_ result: Result<Receipt, BusError>, of id: String) {
    switch result {
    case .success(let receipt):
      log.info("\(receipt.outcome.rawValue)", metadata: ["request": "\(id)"])
    case .failure(let error):
      // The message of an application may quote the URL, so only the caller receives it.
      let message = error.brokerError == .targetFailed ? "" : ": \(error.message)"
      log.notice("\(error.name)\(message)", metadata: ["request": "\(id)"])
    }
  }
}
