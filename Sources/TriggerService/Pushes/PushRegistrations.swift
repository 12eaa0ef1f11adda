// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Logging
import State
import Systemd
import Triggers
import WebPush

/// The registrations of applications at the user's push distributor: at most one for each application.
@BrokerActor
final class PushRegistrations {
  /// The choices of a caller that registers an application.
  struct Options {
    /// The public key of the application's server; `nil` if the caller names none.
    var vapid: String?
    /// The bus name of the distributor; `nil` for the usual one.
    var distributor: String?
  }

  /// The maximum length of a description in bytes (UnifiedPush).
  private static let descriptionLength = 100

  private let bus: BusConnection
  private let file: TriggerFile
  private let clock: TriggerClock
  private let distributors: DistributorClient
  private let identification: SourceIdentification
  /// The time in which the distributor reports the endpoint of a new registration.
  private let endpointTimeout: Duration
  private let log: Logger
  private var registrations: [String: StoredRegistration] = [:]
  /// The registrations that replace others as soon as they have an endpoint, by application.
  private var replacements: [String: StoredRegistration] = [:]
  /// Called after a registration was ended for the application or the user, with the application.
  var ended: (String) -> Void = { _ in }
  /// The calls that wait for an endpoint, by token.
  private var waiting: [String: [AsyncStream<Void>.Continuation]] = [:]

  init(
    on bus: BusConnection, file: TriggerFile, clock: TriggerClock, identification: SourceIdentification,
    endpointTimeout: Duration = .seconds(20), log: Logger
  ) {
    self.bus = bus
    self.identification = identification
    self.file = file
    self.clock = clock
    self.endpointTimeout = endpointTimeout
    self.log = log
    distributors = DistributorClient(on: bus)
  }

  /// Reads what an earlier daemon has stored.
  func load() throws(BusError) {
    for registration in try file.use({ store throws(StateError) in try store.registrations() }) {
      registrations[registration.application] = registration
    }
    // The earlier daemon has exited before it has sent them.
    let unsent = try file.use { store throws(StateError) in try store.tokenReports() }
    guard !unsent.isEmpty else { return }
    bus.loop.start { for application in unsent { await self.report(to: application) } }
  }

  /// The IDs of the registered applications.
  var applications: Set<String> { Set(registrations.keys) }

  /// All registrations, ordered by application.
  var all: [StoredRegistration] { registrations.values.sorted { $0.application < $1.application } }

  /// Returns the registration with a token of the distributor.
  func registration(token: String) -> StoredRegistration? {
    registrations.values.first { $0.token == token } ?? replacements.values.first { $0.token == token }
  }

  // MARK: Calls of applications

  /// Registers an application, and returns its token when the distributor has reported the endpoint.
  ///
  /// A registration that exists is repeated at its distributor, which may have lost it, with the token and the keys unchanged. With
  /// another distributor or key, it remains until the new one has an endpoint, so that no message is lost meanwhile. After a call of the
  /// user, it is the user's, even if the application has made it or replaces it.
  ///
  /// - Parameters:
  ///   - description: The name of the application, which the distributor shows.
  ///   - isOfUser: A Boolean value that is `true` if the user makes the call, and `false` if the application does.
  func register(
    _ application: String, description: String, _ options: Options, isOfUser: Bool
  ) async throws(BusError) -> RemoteNotificationToken {
    let distributor = try await chooseDistributor(for: application, wanted: options.distributor)
    // Another call may have registered the application meanwhile.
    let (registration, isNew) = try prepareRegistration(
      of: application, at: distributor, vapid: options.vapid, isOfUser: isOfUser)
    do throws(BusError) {
      try await distributors.register(
        token: registration.token, description: String(description.prefix(bytes: Self.descriptionLength)),
        vapid: registration.vapid,
        at: distributor)
    } catch {
      if isNew { forget(registration) }
      throw error
    }
    if isOfUser { try assignToUser(application) }
    // Its replacement may have got an endpoint meanwhile.
    let current =
      self.registration(token: registration.token)
      ?? self.registration(of: application, at: distributor, vapid: options.vapid)
    return try await awaitToken(of: current ?? registration)
  }

  private func chooseDistributor(
    for application: String, wanted: String?
  ) async throws(BusError) -> BusName {
    let usual = [
      registrations[application]?.distributor, registrations.values.max { $0.date < $1.date }?.distributor,
    ]
    return try await distributors.choose(wanted: wanted, usual: usual.compactMap(\.self))
  }

  /// Returns the registration of an application at a distributor with a key; a new one is stored, or replaces the earlier one as soon as it
  /// has an endpoint.
  ///
  /// - Parameter vapid: The key; `nil` if the caller names none, which does not change it.
  private func prepareRegistration(
    of application: String, at distributor: BusName, vapid: String?, isOfUser: Bool
  ) throws(BusError) -> (StoredRegistration, isNew: Bool) {
    if let existing = registration(of: application, at: distributor, vapid: vapid) {
      return (existing, isNew: false)
    }
    let earlier = registrations[application]
    let new = try makeRegistration(
      of: application, at: distributor, vapid: vapid ?? earlier?.vapid,
      isOfUser: isOfUser || earlier?.isOfUser == true)
    if earlier != nil {
      drop(replacements[application])
      replacements[application] = new
    } else {
      // It is stored first, because the distributor may report the endpoint to the next daemon.
      try store(new)
    }
    return (new, isNew: true)
  }

  /// Returns the registration of an application, or the one that replaces it, at a distributor with a key; `nil` for any key.
  private func registration(
    of application: String, at distributor: BusName, vapid: String?
  ) -> StoredRegistration? {
    [registrations[application], replacements[application]].compactMap(\.self).first {
      $0.distributor == distributor.rawValue && (vapid == nil || vapid == $0.vapid)
    }
  }

  private func makeRegistration(
    of application: String, at distributor: BusName, vapid: String?, isOfUser: Bool
  ) throws(BusError) -> StoredRegistration {
    let keys: PushKeys
    do throws(WebPushError) { keys = try .generate() } catch { throw BusError(.failed, "\(error)") }
    var registration = StoredRegistration(
      application: application, token: RequestID.random(), distributor: distributor.rawValue,
      date: clock.now.milliseconds, isOfUser: isOfUser, privateKey: keys.privateKey,
      publicKey: keys.publicKey, authenticationSecret: keys.authenticationSecret)
    registration.vapid = vapid
    return registration
  }

  /// Makes the registration of an application, and the one that replaces it, the user's, so that the alerts need no permission.
  private func assignToUser(_ application: String) throws(BusError) {
    replacements[application]?.isOfUser = true
    guard var registration = registrations[application], !registration.isOfUser else { return }
    registration.isOfUser = true
    try store(registration)
  }

  /// Waits until the distributor has reported the endpoint of a registration, and returns its token.
  private func awaitToken(
    of registration: StoredRegistration
  ) async throws(BusError) -> RemoteNotificationToken {
    // The distributor, or another call, may have ended the registration meanwhile.
    guard self.registration(token: registration.token) != nil else {
      throw BusError(
        .failed,
        "the registration at the push distributor \(registration.distributor) was ended before it had an endpoint; register again when the user has enabled it there"
      )
    }
    guard await hasEndpoint(registration.token), let current = self.registration(token: registration.token),
      let token = RemoteNotificationToken(current)
    else {
      if replacements[registration.application]?.token == registration.token {
        drop(replacements.removeValue(forKey: registration.application))
      }
      throw BusError(
        .failed,
        "the push distributor \(registration.distributor) has registered the application, and has not reported an endpoint within \(endpointTimeout.components.seconds) seconds; try again later"
      )
    }
    return token
  }

  /// Ends the registration of an application; one that is not registered is not an error.
  ///
  /// - Parameter isOfUser: A Boolean value that is `true` if the user makes the call, which a running application learns.
  func unregister(_ application: String, isOfUser: Bool) async throws(BusError) {
    drop(replacements.removeValue(forKey: application))
    guard let registration = registrations[application] else { return }
    try file.use { store throws(StateError) in
      try store.removeRegistration(of: application, droppingPushes: true, isReported: isOfUser)
    }
    forgetStored(registration)
    ended(application)
    if isOfUser { await report(to: application) }
    await unregister(registration)
  }

  /// Ends a registration at its distributor.
  private func unregister(_ registration: StoredRegistration) async {
    do throws(BusError) {
      try await distributors.unregister(token: registration.token, at: registration.distributor)
    } catch {
      // Messages for an unknown token are ignored, so that the application receives nothing any more.
      log.warning(
        "cannot end the registration of \(registration.application) at its push distributor: \(error.name)"
      )
    }
  }

  /// Gives up a registration that has not replaced another one; the calls that wait for it fail.
  private func drop(_ replacement: StoredRegistration?) {
    guard let replacement else { return }
    resumeCalls(waitingFor: replacement.token)
    bus.loop.start { await self.unregister(replacement) }
  }

  /// - Parameter isReported: Whether the application is informed of the new token, by the next daemon if this one exits before.
  private func store(_ registration: StoredRegistration, isReported: Bool = false) throws(BusError) {
    try file.use { store throws(StateError) in try store.set(registration, isReported: isReported) }
    registrations[registration.application] = registration
  }

  private func forget(_ registration: StoredRegistration) {
    // A later call may have replaced it.
    guard self.registration(token: registration.token) != nil else { return }
    if replacements[registration.application]?.token == registration.token {
      return drop(replacements.removeValue(forKey: registration.application))
    }
    file.attempt { store throws(StateError) in try store.removeRegistration(of: registration.application) }
    forgetStored(registration)
  }

  private func forgetStored(_ registration: StoredRegistration) {
    if registrations[registration.application]?.token == registration.token {
      registrations[registration.application] = nil
    }
    resumeCalls(waitingFor: registration.token)
  }

  /// Waits until the distributor has reported an endpoint; `false` if it has not in time.
  private func hasEndpoint(_ token: String) async -> Bool {
    if registration(token: token)?.endpoint != nil { return true }
    let (reported, call) = AsyncStream<Void>.makeStream()
    waiting[token, default: []].append(call)
    let timer = LoopTimer(on: bus.loop, after: endpointTimeout) { call.finish() }
    defer { timer?.cancel() }
    for await _ in reported { break }
    return registration(token: token)?.endpoint != nil
  }

  private func resumeCalls(waitingFor token: String) {
    for call in waiting.removeValue(forKey: token) ?? [] { call.finish() }
  }

  // MARK: Calls of distributors

  /// Stores the endpoint of a registration, and reports it to the application if it has changed.
  func setEndpoint(_ endpoint: String, of registration: StoredRegistration) async throws(BusError) {
    guard endpoint != registration.endpoint else { return }
    guard endpoint.hasPrefix("https://") || endpoint.hasPrefix("http://"),
      endpoint.utf8.count <= NotificationLimits.endpoint,
      endpoint.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
    else {
      log.warning("\(registration.distributor) has reported an endpoint that is not a web URL; it is ignored")
      return
    }
    var changed = registration
    changed.endpoint = endpoint
    // The registration to replace may have ended meanwhile.
    let isReplacement = replacements[registration.application]?.token == registration.token
    let replaced = isReplacement ? registrations[registration.application] : nil
    // The first endpoint is the result of the call that registers.
    let isChange = (replaced ?? registration).endpoint != nil
    try store(changed, isReported: isChange)
    if isReplacement { replacements[registration.application] = nil }
    if let replaced { bus.loop.start { await self.unregister(replaced) } }
    resumeCalls(waitingFor: registration.token)
    if isChange { await report(to: changed.application) }
  }

  /// Removes a registration that its distributor has ended, and reports that to the application.
  func end(_ registration: StoredRegistration) async throws(BusError) {
    let application = registration.application
    guard replacements[application]?.token != registration.token else { return forget(registration) }
    try file.use { store throws(StateError) in
      try store.removeRegistration(of: application, isReported: true)
    }
    forgetStored(registration)
    await report(to: application)
  }

  /// Sends the token of the registration, or its end, to the running application alone; the bus does not start an application for it.
  ///
  /// That it has to be sent is stored until then. An application that does not run gets the token when it registers.
  private func report(to application: String) async {
    if let id = ApplicationID(rawValue: application), let owner = await identification.instance(of: id) {
      let token = registrations[application].flatMap { RemoteNotificationToken($0) }
      do throws(BusError) {
        try await bus.emit(
          TriggersInterface.remoteNotificationTokenChanged, from: TriggersInterface.path, to: owner,
          application, token?.entries ?? [:])
      } catch {
        return log.warning("cannot send the new push token to \(application): \(error.message)")
      }
    }
    file.attempt { store throws(StateError) in try store.removeTokenReport(for: application) }
  }

  /// Ends the registration of an application that was uninstalled, after it was removed from the file.
  func forgetAll(of application: String) {
    drop(replacements.removeValue(forKey: application))
    guard let registration = registrations[application] else { return }
    forgetStored(registration)
    bus.loop.start { await self.unregister(registration) }
  }
}

extension RemoteNotificationToken {
  /// The token of a registration; `nil` without an endpoint.
  init?(_ registration: StoredRegistration) {
    guard let endpoint = registration.endpoint else { return nil }
    self.init(
      endpoint: endpoint, publicKey: registration.publicKey,
      authenticationSecret: registration.authenticationSecret)
  }
}
