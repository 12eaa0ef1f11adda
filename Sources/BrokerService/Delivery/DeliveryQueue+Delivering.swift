import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Systemd

extension DeliveryQueue {
  /// Tries one delivery strategy after the other until a request is delivered, or certainly cannot be.
  func handOver(_ request: DeliveryJob) async {
    var reasons: [String] = []
    let owner = await waitForOwner()
    if owner == nil || !application.takesEnvelopes { writeDown(with: request) }
    await waitForCutOff(before: request, owner)
    // A crash may have returned earlier requests to the queue while this one waited.
    guard !request.life.isWaiting || !isOvertaking(request) else { return requeue(request) }
    var approaches = approaches(for: request.envelope, isRunning: owner != nil)
    while let approach = approaches.popFirst() {
      // The request may have been withdrawn in the meantime.
      guard request.life.isWaiting else { return }
      if approach.startsProgram, !mayStart(request) { return }
      switch await attempt(approach, request, owner) {
      case .sent: return
      case .finished(let event, let delivery): return settle(request, event, delivery)
      case .died: return retryOrFail(request, after: died(with: request))
      case .busWent: return retryOrFail(request, after: .busDisconnected)
      case .noRoom:
        try? await BrokerActor.loop.sleep(for: .seconds(1))
        return requeue(request)
      case .notDelivered(let reason):
        reasons.append(reason)
        // The instance exited in the meantime, so the strategies for a stopped application apply.
        if approach == .signal, await currentOwner() == nil {
          approaches = self.approaches(for: request.envelope, isRunning: false)
        }
      case .cannotStart(let reason): return failAll(request, failure(.launchFailed, reason, kind: .launch))
      }
    }
    settle(request, .startFailed, dead(request.envelope, reasons))
  }

  /// Returns the instance that can receive a request now, without further queries or waiting; `nil` if there is none.
  func readyAddressee(for request: DeliveryJob) -> RemoteObject? {
    guard let owner = followedOwner, let path, lookedAt?.owner == owner, lookedAt?.diagnostic == nil,
      application.takesEnvelopes, envelopes?.owner != owner || envelopes?.taken == true,
      approaches(for: request.envelope, isRunning: true).first == .signal,
      interrupted(before: request, owner) == nil, knownOwner == owner
    else { return nil }
    return RemoteObject(owner, path)
  }

  /// Sends a request to the running instance in the same turn of the event loop as its acceptance.
  func sendAtOnce(_ request: DeliveryJob, _ addressee: RemoteObject) {
    request.envelope.delivery = .running
    if case .noRoom = send(request, addressee, .running) { requeue(request) }
  }

  private func attempt(
    _ approach: DeliveryStrategy, _ request: DeliveryJob, _ owner: BusName?
  ) async -> DeliveryAttempt {
    switch approach {
    case .signal:
      guard let owner else { return .notDelivered("\(id) is not running") }
      return await signal(request, owner, .running)
    case .activate:
      return await signal(request, after: await limited { await activate() })
    case .launchAndSignal:
      return await signal(request, after: await limited { await launch(for: request.envelope.requestID) })
    case .execute:
      return await execute(request)
    }
  }

  private func signal(_ request: DeliveryJob, after start: Start) async -> DeliveryAttempt {
    switch start {
    case .running(let owner):
      // The request may have been withdrawn while the program started; the target then receives nothing.
      guard request.take(.nameAcquired).contains(.handOver) else { return .sent }
      // Earlier requests may have returned to the queue in the meantime, and precede this one.
      guard !isOvertaking(request) else {
        requeue(request)
        return .sent
      }
      return await signal(request, owner, .launch)
    case .impossible(let reason): return .notDelivered(reason)
    case .failed(let reason): return .cannotStart(reason)
    case .busWent: return .busWent
    }
  }

  /// Returns the unique name of the running instance; `nil` if there is none.
  func currentOwner() async -> BusName? {
    guard let name = busName else { return nil }
    return (try? await dependencies.bus.owner(of: name)) ?? nil
  }

  /// Returns the unique name of the running instance; `nil` if there is none.
  ///
  /// Uses the followed owner if there is one. If the bus is disconnected, it waits for the bus and asks again.
  private func waitForOwner() async -> BusName? {
    if let knownOwner { return knownOwner }
    guard let name = busName else { return nil }
    do throws(BusError) {
      let owner = try await dependencies.bus.owner(of: name)
      if owner != nil { follow(name) }
      return owner
    } catch  where error.name == .disconnected {
      let events = await dependencies.bus.events()
      // The bus may have been restored before the events were subscribed.
      if let owner = try? await dependencies.bus.owner(of: name) { return owner }
      for await event in events where event == .restored { break }
      return await currentOwner()
    } catch {
      return nil
    }
  }

  private func signal(
    _ request: DeliveryJob, _ owner: BusName, _ kind: Delivery.Kind
  ) async -> DeliveryAttempt {
    guard let path else { return .notDelivered("\(id) cannot be mapped to an object path") }
    if lookedAt?.owner != owner {
      if let diagnostic = await impostor(owner) { return .cannotStart(diagnostic) }
      // Earlier requests may have returned to the queue in the meantime, and precede this one.
      guard !isOvertaking(request) else {
        requeue(request)
        return .sent
      }
    }
    if let diagnostic = lookedAt?.diagnostic { return .cannotStart(diagnostic) }
    let addressee = RemoteObject(owner, path)
    request.envelope.delivery = kind
    switch envelopes {
    case let known? where known.owner == owner && !known.taken: return await open(request, addressee, kind)
    case let known? where known.owner == owner: break
    // The entry declares envelopes, so the second request need not wait for the reply to the first.
    case _ where application.takesEnvelopes: break
    default: return await tryEnvelope(request, addressee, kind)
    }
    return send(request, addressee, kind)
  }

  private func tryEnvelope(
    _ request: DeliveryJob, _ addressee: RemoteObject, _ kind: Delivery.Kind
  ) async -> DeliveryAttempt {
    guard await mayTakeEnvelopes(addressee) else {
      envelopes = (addressee.name, taken: false)
      return await open(request, addressee, kind)
    }
    guard request.take(.sending(.application1)).contains(.send) else { return unsent(request) }
    let outcome = await withCheckedContinuation { continuation in
      call(request, addressee, kind) { continuation.resume(returning: $0) }
    }
    switch outcome {
    case .settled(let event, let delivery):
      envelopes = (addressee.name, taken: true)
      return .finished(event, delivery)
    case .died: return .died
    case .busWent: return .busWent
    case .notDelivered:
      takeBack(request, from: addressee)
      return await open(request, addressee, kind)
    }
  }

  /// Returns the result for a request that could not be sent.
  func unsent(_ request: DeliveryJob) -> DeliveryAttempt { request.life.isWaiting ? .noRoom : .sent }

  /// Records that an envelope was not delivered: the request counts as not sent, and its instance accepts no envelopes.
  private func takeBack(_ request: DeliveryJob, from addressee: RemoteObject) {
    envelopes = (addressee.name, taken: false)
    request.addressee = nil
    request.take(.provenNotDelivered)
  }

  /// Sends an envelope without waiting for the reply, because the calls of one connection arrive in the order of sending.
  private func send(
    _ request: DeliveryJob, _ addressee: RemoteObject, _ kind: Delivery.Kind
  ) -> DeliveryAttempt {
    guard request.take(.sending(.application1)).contains(.send) else { return unsent(request) }
    let number = request.number
    call(request, addressee, kind) { [self] in take($0, for: number, sentTo: addressee) }
    return .sent
  }

  /// Handles the result of a call that carried an envelope, unless its request has ended in the meantime.
  private func take(_ outcome: CallOutcome, for number: Int, sentTo addressee: RemoteObject) {
    guard let request = sent(number) else { return }
    switch outcome {
    case .settled(let event, let delivery): settle(request, event, delivery)
    case .died: retryOrFail(request, after: died(with: request))
    case .busWent: retryOrFail(request, after: .busDisconnected)
    case .notDelivered:
      takeBack(request, from: addressee)
      requeue(request)
    }
  }

  /// Maps the exit of an instance to an event for each request it held.
  ///
  /// The oldest unanswered request is blamed for the crash; the others were only interrupted.
  private func died(with request: DeliveryJob) -> RequestEvent {
    guard let owner = request.addressee?.name else { return .nameLost }
    if lastCrash?.owner != owner { lastCrash = (owner, firstSent(to: owner) ?? request.number) }
    return lastCrash?.number == request.number ? .nameLost : .interrupted
  }

  /// Returns a request to the queue after a crash of the target or the loss of the bus, if it may be repeated.
  private func retryOrFail(_ request: DeliveryJob, after event: RequestEvent) {
    let kind = request.envelope.delivery
    request.take(event, failure(.targetFailed, "\(id) exited twice while it handled the request", kind: kind))
    requeue(request)
  }

  /// Notifies the target that the caller no longer waits for a request that it received as an envelope.
  func tellTargetOfCancel(_ request: DeliveryJob) {
    guard let addressee = request.addressee else { return }
    let id = request.envelope.requestID
    // The reply does not matter, and a target that hangs must not delay the cancellation.
    BrokerActor.loop.start {
      _ = try? await self.dependencies.bus.call(
        Application1Interface.cancel, at: addressee, id, autoStart: false)
    }
  }
}
