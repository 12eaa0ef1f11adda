// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Systemd

/// The running instance of one application: the owner of its bus name, what the broker knows about it, and the calls to
/// it.
@BrokerActor
final class ApplicationInstance {
  let id: ApplicationID
  /// The application's bus name and object path; `nil` if its ID does not correspond to any.
  let busName: BusName?
  let path: ObjectPath?
  private let bus: BusConnection
  private let identification: CallerIdentification
  private let introspectionTimeout: Duration
  /// The owner of the application's name, as long as the bus reports each change.
  private var followedOwner: BusName?
  private var isFollowing = false
  /// The number of the bus, which counts those that were lost.
  private var busNumber = 0
  /// The connection that is known to accept envelopes, or known not to.
  private var envelopes: (owner: BusName, support: EnvelopeSupport)?
  /// The connection that was checked last, the reason why it is an impostor if it is, and its process.
  private var checked: (owner: BusName, diagnostic: String?, process: PinnedProcess?)?
  /// The calls that it has not replied to.
  private var unanswered = UnansweredCalls()

  init(
    _ id: ApplicationID, on bus: BusConnection, identifyingBy identification: CallerIdentification,
    introspectionTimeout: Duration
  ) {
    self.id = id
    busName = id.busName.flatMap { BusName($0) }
    path = ObjectPath(id.objectPath)
    self.bus = bus
    self.identification = identification
    self.introspectionTimeout = introspectionTimeout
  }

  // MARK: The owner of the name

  /// The current owner of the name, if it is certain.
  ///
  /// `nil` if the socket has unread messages, because a NameOwnerChanged signal or an error reply may be among them.
  /// The caller then asks the bus, whose reply is ordered after them. Otherwise many requests would be sent to an
  /// instance that is exiting, and a series of crashing brokers would send all pending requests repeatedly without
  /// reading their replies.
  var knownOwner: BusName? { bus.hasNoUnreadInputNow ? followedOwner : nil }

  /// Returns the unique name of the running instance, according to the bus; `nil` if there is none.
  func currentOwner() async -> BusName? {
    guard let name = busName else { return nil }
    return try? await bus.owner(of: name)
  }

  /// Returns whether a connection that states that it is exiting has released the application's name.
  ///
  /// An application may have opened the link, and pass on the same error of a call of its own.
  ///
  /// - Returns: `nil` if the bus cannot be asked.
  func hasReleasedName(_ owner: BusName) async -> Bool? {
    guard let name = busName else { return nil }
    do throws(BusError) { return try await bus.owner(of: name) != owner } catch { return nil }
  }

  /// Returns the unique name of the running instance; `nil` if there is none.
  ///
  /// Uses the followed owner if there is one. If the bus is disconnected, it waits for the bus and asks again.
  func owner() async -> BusName? {
    if let knownOwner { return knownOwner }
    guard let name = busName else { return nil }
    do throws(BusError) {
      return try await ownerToFollow(of: name)
    } catch {
      guard error.busFailure == .disconnected else { return nil }
    }
    let events = await bus.events()
    do throws(BusError) {
      // The bus may have been restored before the events were subscribed.
      return try await ownerToFollow(of: name)
    } catch {
      guard error.busFailure == .disconnected else { return nil }
    }
    for await event in events where event == .restored { break }
    return await currentOwner()
  }

  /// Returns the owner of `name` according to the bus, and follows it.
  private func ownerToFollow(of name: BusName) async throws(BusError) -> BusName? {
    let owner = try await bus.owner(of: name)
    if owner != nil { follow(name) }
    return owner
  }

  /// Follows the owner of `name` until there is none.
  ///
  /// The bus reports a change of the owner before the error replies to the calls that the old owner had.
  private func follow(_ name: BusName) {
    guard !isFollowing else { return }
    isFollowing = true
    // The reference is weak, so that a released instance ends the task.
    BrokerActor.loop.start { [weak self, bus] in
      if let owners = try? await bus.owners(of: name) {
        for await owner in owners {
          self?.followedOwner = owner
          if owner == nil { break }
        }
      }
      self?.followedOwner = nil
      self?.isFollowing = false
    }
  }

  /// Forgets the connections, because the bus was lost and the next one gives their unique names to others.
  func forgetOwner() {
    busNumber += 1
    (checked, envelopes) = (nil, nil)
  }

  // MARK: What it is, and what it accepts

  /// Returns whether a connection has been checked.
  func isChecked(_ owner: BusName) -> Bool { checked?.owner == owner }

  /// Returns the reason why nothing may be sent to the owner of the application's name; `nil` for the application and a closed connection.
  ///
  /// The owner is another program, or its process cannot be inspected.
  /// Each connection is checked before anything is sent to it, and only once unless its process cannot be inspected or a file did not
  /// respond in time.
  func impostor(_ owner: BusName, claiming application: TargetApplication) async -> String? {
    if let checked, checked.owner == owner { return checked.diagnostic }
    let askedBus = busNumber
    var diagnostic: String?
    var process: PinnedProcess?
    var isCertain = true
    do throws(BusError) {
      guard let look = try await identification.look(at: owner) else {
        // Another process of a sandbox may keep the connection of one that has exited, and may release the name at any time.
        guard await bus.hasOwner(owner) else { return nil }
        return refusal(of: "a process that cannot be inspected")
      }
      (process, isCertain) = (look.process, look.isComplete)
      if application.id.isOfOtherMachine {
        // The relay has no rights of the user, and is the only owner of such a name.
        if !look.facts.isRelay { diagnostic = "a program other than usher-remote" }
      } else {
        let source = SourceApplication.identify(
          look.facts, claim: nil, isInstalled: { _ in true }, owners: { _ in [] })
        if application.isImpostor(source) { diagnostic = "\(source)" }
      }
    } catch {
      // The user of a closed connection may be unknown; an open one may have released the name.
      guard await bus.hasOwner(owner) else { return nil }
      diagnostic = "another user"
    }
    diagnostic = diagnostic.map(refusal)
    if isCertain, askedBus == busNumber { checked = (owner, diagnostic, process) }
    return diagnostic
  }

  private func refusal(of owner: String) -> String {
    "the bus name \(id) is owned by \(owner); nothing was delivered to it"
  }

  /// Returns the instance that certainly runs, was checked, and accepts envelopes; `nil` if that needs a query.
  func readyForEnvelopes() -> RemoteObject? {
    guard let owner = followedOwner, let path, let checked, checked.owner == owner, checked.diagnostic == nil,
      [nil, .accepted].contains(envelopeSupport(of: owner)), knownOwner == owner
    else { return nil }
    return RemoteObject(owner, path)
  }

  /// Returns the response of a connection to envelopes; `nil` if it is unknown.
  func envelopeSupport(of owner: BusName) -> EnvelopeSupport? {
    envelopes?.owner == owner ? envelopes?.support : nil
  }

  /// Returns whether a connection that did not serve the interface of envelopes serves it by now, and records that.
  ///
  /// It may have acquired its name before it exported its object.
  func servesEnvelopesNow(_ addressee: RemoteObject) async -> Bool {
    guard envelopeSupport(of: addressee.name) == .notServed, await declaration(of: addressee) != .absent
    else {
      return false
    }
    record(addressee.name, .accepted)
    return true
  }

  /// Records whether a connection accepts envelopes.
  func record(_ owner: BusName, _ support: EnvelopeSupport) { envelopes = (owner, support) }

  /// The response of a connection to envelopes.
  enum EnvelopeSupport: Sendable {
    case accepted
    /// Its object does not have the interface.
    case notServed
    /// It declines them for another reason, such as that it is exiting.
    case declined
  }

  /// The statement of an instance about `Application1`.
  enum Declaration {
    case declared
    /// It replies with an error that an envelope will clarify.
    case unclear
    /// It does not declare the interface, or ignores unknown calls: it would never reply to an envelope.
    case absent
  }

  /// Asks an instance whether it serves `Application1`.
  func declaration(of addressee: RemoteObject) async -> Declaration {
    callBegins(to: addressee)
    defer { unanswered.count -= 1 }
    do throws(BusError) {
      let document = try await bus.call(
        Introspectable.introspect, at: addressee, timeout: introspectionTimeout, autoStart: false)
      return document.contains("\"\(Application1Interface.name)\"") ? .declared : .absent
    } catch {
      return error.busFailure == .timeout ? .absent : .unclear
    }
  }

  // MARK: Calls

  /// The result of a call that carried an envelope.
  enum Reply: Sendable {
    /// Finished, as far as the outcome can be determined.
    case settled(RequestEvent, Delivery)
    case notDelivered(EnvelopeSupport)
    /// The instance states in an error that it is exiting.
    case exiting(BusError)
    case exited
    case busDisconnected
  }

  /// Sends an envelope immediately.
  ///
  /// - Parameter then: Receives the result.
  func deliver(
    _ envelope: Envelope, to addressee: RemoteObject, then: @escaping @BrokerActor (Reply) -> Void
  ) {
    callBegins(to: addressee)
    let kind = envelope.delivery
    bus.callNow(Application1Interface.deliver, at: addressee, envelope.entries) { [self] reply in
      unanswered.count -= 1
      then(Reply(reply, from: id, kind))
    }
  }

  /// Makes the call of the standard interface that corresponds to an envelope.
  ///
  /// Actions of the standard interface have no URLs. Envelopes without a corresponding call are rejected before.
  func callStandard(_ envelope: Envelope, at addressee: RemoteObject) async throws(BusError) {
    callBegins(to: addressee)
    defer { unanswered.count -= 1 }
    let data = envelope.platformData
    switch (envelope.activationRequest, envelope.desktopAction) {
    case (.activation?, _):
      try await bus.call(
        ApplicationInterface.activate, at: addressee, data, timeout: BrokerLimits.standardCall,
        autoStart: false)
    case (_, let action?):
      let parameter = envelope.urls.isEmpty ? [envelope.payload?.variant].compactMap(\.self) : []
      try await bus.call(
        ApplicationInterface.activateAction, at: addressee, action, parameter, data,
        timeout: BrokerLimits.standardCall,
        autoStart: false)
    default:
      try await bus.call(
        ApplicationInterface.open, at: addressee, envelope.urls, data, timeout: BrokerLimits.standardCall,
        autoStart: false)
    }
  }

  /// Notifies an instance that the caller no longer waits for a delivery that it received as an envelope.
  ///
  /// - Parameter then: Called when the instance has replied, or has not replied in time. The order of this reply and of that to the
  ///   delivery is preserved, because it tells whether the instance had begun the request.
  func cancel(_ deliveryID: String, at addressee: RemoteObject, then: @escaping @BrokerActor () -> Void) {
    bus.callNow(
      Application1Interface.cancel, at: addressee, deliveryID, timeout: BrokerLimits.cancellation, then: then)
  }

  /// Counts a call that is sent now, and resumes the process after that if it is stopped, at once or soon after the last time.
  private func callBegins(to addressee: RemoteObject) {
    unanswered.count += 1
    guard checked?.owner == addressee.name, checked?.process != nil, !unanswered.isThawDue else { return }
    let pause = unanswered.requestThaw()
    if pause > .zero,
      LoopTimer(on: BrokerActor.loop, after: pause, { BrokerActor.onLoop { self.thaw() } }) != nil
    {
      return
    }
    BrokerActor.afterwards { [self] in thaw() }
  }

  private func thaw() { if unanswered.beginThaw() { checked?.process?.thaw() } }

  /// Calls without a reply, for which a stopped process is resumed.
  private struct UnansweredCalls {
    var count = 0
    /// A Boolean value that indicates whether the process is to be resumed if it is stopped.
    private(set) var isThawDue = false
    /// The time at which the process was last resumed if it was stopped.
    private var lastThaw: ContinuousClock.Instant?

    /// Makes it due that the process is resumed, and returns the pause before that.
    mutating func requestThaw() -> Duration {
      isThawDue = true
      return lastThaw.map { $0 + BrokerLimits.thawing - .now } ?? .zero
    }

    /// Returns whether the process is resumed now.
    mutating func beginThaw() -> Bool {
      isThawDue = false
      // A process that has replied to everything may have been stopped since.
      guard count > 0 else { return false }
      lastThaw = .now
      return true
    }
  }
}

extension ApplicationInstance.Reply {
  /// Interprets the reply of `Application1.Deliver`.
  fileprivate init(
    _ reply: Result<[String: Variant], BusError>, from id: ApplicationID, _ kind: Delivery.Kind?
  ) {
    switch reply {
    case .success(let entries): self.init(entries, from: id, kind)
    case .failure(let error):
      self =
        switch DeliveryFailure(error, servesEnvelopes: true) {
        case .notDelivered: .notDelivered(.declined)
        case .notServed: .notDelivered(.notServed)
        case .exiting: .exiting(error)
        case .exited: .exited
        case .busDisconnected: .busDisconnected
        case .timedOut:
          .settled(.noReply, .unknown(id, message: "\(id) received it, but did not reply", kind: kind))
        case .withdrawn:
          .settled(
            .replyCancelled,
            Delivery(.withdrawn, after: .replyCancelled, target: id.rawValue, kind: kind))
        case .lost:
          .settled(
            .noReply,
            .unknown(
              id, message: "\(error.message); it is unknown whether the link was handled", kind: kind))
        case .outcomeUnknown:
          .settled(
            .noReply, .targetFailed(id, because: error.message, kind: kind))
        case .unreadable: .settled(.noReply, .invalidReply(id, error.message, kind: kind))
        case .refused:
          .settled(
            .replyFailed, .targetFailed(id, because: error.message, kind: kind))
        }
    }
  }

  private init(_ entries: [String: Variant], from id: ApplicationID, _ kind: Delivery.Kind?) {
    do throws(MessageError) {
      let reply = try BusInterfaces.Reply(entries)
      let event: RequestEvent
      var delivery: Delivery
      if let error = reply.error {
        event = .replyFailed
        delivery = .targetFailed(id, because: error, kind: kind)
      } else if reply.handled {
        event = .replyHandled
        delivery = Delivery(application: id.rawValue, outcome: .handled, kind: kind, value: reply.value)
      } else {
        event = .replyNotHandled
        delivery = Delivery(.notHandled, after: event, target: id.rawValue, kind: kind)
      }
      delivery.isRedelivered = reply.isRedelivered
      self = .settled(event, delivery)
    } catch {
      // The application has handled the request, and its report cannot be read.
      self = .settled(.noReply, .invalidReply(id, "\(error)", kind: kind))
    }
  }
}

extension Delivery {
  /// Returns a delivery that failed, with as much of the message as a receipt keeps.
  static func failed(
    _ id: ApplicationID, _ error: BrokerErrorName, message: String, kind: Kind? = nil
  ) -> Delivery {
    Delivery(
      application: id.rawValue, outcome: .failed, kind: kind, error: error.errorName,
      message: message.shortened(toBytes: maximumText))
  }

  /// Returns a delivery for which the application reported a failure, with a message that names the application once.
  static func targetFailed(_ id: ApplicationID, because reason: String, kind: Kind?) -> Delivery {
    let message = reason.hasPrefix("\(id) ") ? reason : "\(id) failed: \(reason)"
    return .failed(id, .targetFailed, message: message, kind: kind)
  }

  /// Returns a delivery whose reply cannot be read.
  static func invalidReply(_ id: ApplicationID, _ reason: String, kind: Kind?) -> Delivery {
    .failed(id, .targetFailed, message: "\(id) sent an invalid reply: \(reason)", kind: kind)
  }

  /// Returns a delivery without a reply in time, with as much of the message as a receipt keeps.
  static func unknown(_ id: ApplicationID, message: String, kind: Kind?) -> Delivery {
    Delivery(
      application: id.rawValue, outcome: .unknown, kind: kind, error: BrokerErrorName.timeout.errorName,
      message: message.shortened(toBytes: maximumText))
  }
}
