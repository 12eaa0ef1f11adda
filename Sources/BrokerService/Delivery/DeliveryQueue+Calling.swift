import BusInterfaces
import BrokerCore
import DBus
import Freedesktop
import Systemd

/// The calls that carry a request, and the interpretation of their replies.
extension DeliveryQueue {
  /// The result of a call that carried an envelope.
  enum CallOutcome {
    /// Finished, as far as the outcome can be determined.
    case settled(RequestEvent, Delivery)
    case notDelivered
    case died
    case busWent
  }

  /// Calls `Application1.Deliver` immediately.
  ///
  /// - Parameter then: Receives the result.
  func call(
    _ request: DeliveryJob, _ addressee: RemoteObject, _ kind: Delivery.Kind,
    then: @escaping @BrokerActor (CallOutcome) -> Void
  ) {
    request.isSent(to: addressee)
    request.testHook()
    thawAfterwards(addressee)
    dependencies.bus.callNow(Application1Interface.deliver, at: addressee, request.envelope.entries) {
      [self] reply in then(outcome(of: reply, kind))
    }
  }

  /// Returns whether an instance declares `Application1`, or replies in a way that an envelope will clarify.
  ///
  /// An instance that ignores unknown calls would never reply to an envelope, and the outcome would be unknown.
  func mayTakeEnvelopes(_ addressee: RemoteObject) async -> Bool {
    thawAfterwards(addressee)
    do throws(BusError) {
      let document = try await dependencies.bus.call(
        Introspectable.introspect, at: addressee, timeout: dependencies.journal.limits.introspection,
        autoStart: false)
      return document.contains("\"\(Application1Interface.name)\"")
    } catch {
      return error.name != .timeout
    }
  }

  private func outcome(
    of call: Result<[String: Variant], BusError>, _ kind: Delivery.Kind
  ) -> CallOutcome {
    switch call {
    case .success(let entries): return read(reply: entries, kind)
    case .failure(let error):
      switch DeliveryFailure(error) {
      case .notDelivered: return .notDelivered
      case .died: return .died
      case .busWent: return .busWent
      case .noReply: return .settled(.noReply, unknown("\(id) received it, but did not reply", kind))
      case .refused:
        return .settled(
          .replyFailed, failure(.targetFailed, "\(id) failed: \(error.message)", kind: kind))
      }
    }
  }

  private func read(reply entries: [String: Variant], _ kind: Delivery.Kind) -> CallOutcome {
    do throws(MessageError) {
      let reply = try Reply(entries)
      let event: RequestEvent
      var delivery: Delivery
      if let error = reply.error {
        (event, delivery) = (.replyFailed, failure(.targetFailed, "\(id) failed: \(error)", kind: kind))
      } else if reply.handled {
        delivery = Delivery(application: id.rawValue, outcome: .handled, kind: kind, value: reply.value)
        event = .replyHandled
      } else {
        (event, delivery) = (.replyNotHandled, failure(.notHandled, "\(id) did not handle it", kind: kind))
      }
      delivery.isRepeated = reply.isRepeated
      return .settled(event, delivery)
    } catch {
      return .settled(
        .replyFailed,
        failure(.targetFailed, "\(id) sent an invalid reply: \(error)", kind: kind))
    }
  }

  /// Calls the standard interface with a request.
  func open(
    _ request: DeliveryJob, _ addressee: RemoteObject, _ kind: Delivery.Kind
  ) async -> DeliveryAttempt {
    guard application.isDBusActivatable else { return .notDelivered("\(id) does not accept D-Bus calls") }
    if case .message? = request.envelope.errand, let errand = request.envelope.errand {
      return .notDelivered(application.refusal(of: errand))
    }
    writeDown(with: request)
    guard request.take(.sending(.standard)).contains(.send) else { return unsent(request) }
    request.testHook()
    thawAfterwards(addressee)
    do throws(BusError) {
      try await callStandard(request.envelope, addressee)
      return .finished(.arrived, Delivery(application: id.rawValue, outcome: .delivered, kind: kind))
    } catch {
      switch DeliveryFailure(error) {
      case .notDelivered:
        request.take(.provenNotDelivered)
        return .notDelivered(error.message)
      case .refused:
        return .finished(
          .replyFailed, failure(.targetFailed, "\(id) failed: \(error.message)", kind: kind))
      case .died, .busWent, .noReply:
        // The request is never repeated, because the instance may have opened it before it exited.
        return .finished(.noReply, unknown("\(id) received it, but did not reply: \(error.message)", kind))
      }
    }
  }

  /// Resumes a stopped target after a request was sent to it.
  private func thawAfterwards(_ addressee: RemoteObject) {
    guard lookedAt?.owner == addressee.name, let process = lookedAt?.process else { return }
    BrokerActor.loop.submitAfterwards { process.thaw() }
  }

  private func unknown(_ message: String, _ kind: Delivery.Kind) -> Delivery {
    Delivery(
      application: id.rawValue, outcome: .unknown, kind: kind, error: BrokerErrorName.timeout.errorName,
      message: message)
  }
}
