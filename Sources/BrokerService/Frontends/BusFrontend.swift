// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import State

/// The broker's objects on the bus: it decodes calls, passes them on, and encodes the results.
@BrokerActor
final class BusFrontend {
  private let opening: OpenService
  private let explanations: ExplanationService
  private let grants: GrantFrontend
  private let permissions: PermissionService
  private let registrations: SchemeRegistrations
  private let admission: AdmissionQueue
  private let journal: RequestJournal
  private let quotas: QuotaTracker
  private let recovery: Recovery
  private let history: HistoryWriter
  private let monitors: MonitorHub
  private let environment: SessionEnvironment

  init(
    opening: OpenService, explanations: ExplanationService, grants: GrantFrontend,
    permissions: PermissionService, registrations: SchemeRegistrations, admission: AdmissionQueue,
    journal: RequestJournal, quotas: QuotaTracker, recovery: Recovery,
    history: HistoryWriter, monitors: MonitorHub, environment: SessionEnvironment
  ) {
    self.opening = opening
    self.explanations = explanations
    self.grants = grants
    self.permissions = permissions
    self.registrations = registrations
    self.admission = admission
    self.journal = journal
    self.quotas = quotas
    self.recovery = recovery
    self.history = history
    self.monitors = monitors
    self.environment = environment
  }

  /// Exports both objects on `bus`.
  func export(on bus: BusConnection) async throws(BusError) {
    try await bus.export(brokerObject)
    try await bus.export(handlerObject)
  }

  /// The object with `org.usher.Broker1`, as `desktop/org.usher.Broker1.xml` documents it.
  private var brokerObject: BusObject {
    BusObject(
      BrokerInterface.path,
      [
        .method(BrokerInterface.open, limit: RequestSize.limit) {
          call, urls, options async throws(BusError) in
          do throws(BusError) {
            return try await self.opening.open(urls, options, for: .connection(call.sender)).entries
          } catch {
            // An option of another type is an error without details in any case.
            let isPlain = (try? OpenOptions(options))?.plainErrors == true
            throw isPlain ? error.withoutDetails : error
          }
        },
        .method(BrokerInterface.canOpen) { call, url async throws(BusError) in
          try await self.explanations.canOpen(url, for: call.sender)
        },
        .method(BrokerInterface.explain) { call, url, options async throws(BusError) in
          try await self.explanations.explain(url, options, for: call.sender)
        },
        // The call waits for the earlier ones of its connection, with its message.
        .method(BrokerInterface.cancel, within: MessageLimit(values: 1, bytes: 4_096)) {
          call, id async throws(BusError) in
          try await self.opening.cancel(id, for: call.sender)
        },
        .method(BrokerInterface.history) { call, options async throws(BusError) in
          try await self.history(options, for: call.sender)
        },
        .method(BrokerInterface.grants) { call, options async throws(BusError) in
          let caller = try await self.refuseSandboxed(call.sender, to: "read or change grants")
          return try await self.grants.list(options, for: caller)
        },
        .method(BrokerInterface.allow) { call, grant async throws(BusError) in
          let caller = try await self.refuseSandboxed(call.sender, to: "read or change grants")
          return try await self.grants.allow(grant, for: caller)
        },
        .method(BrokerInterface.revoke) { call, options async throws(BusError) in
          let caller = try await self.refuseSandboxed(call.sender, to: "read or change grants")
          return try await self.grants.revoke(options, for: caller)
        },
        .method(BrokerInterface.requestPermission) {
          call, application, permission, options async throws(BusError) in
          let caller = try await self.admission.callers.facts(of: call.sender)
          return try await self.permissions.status(
            of: permission, for: application, options, calledBy: caller
          ).rawValue
        },
        .method(BrokerInterface.registerScheme) { call, scheme, options async throws(BusError) in
          let caller = try await self.admission.callers.facts(of: call.sender)
          return try await self.registrations.register(
            scheme, options, for: call.sender, calledBy: caller)
        },
        .method(BrokerInterface.unregisterScheme) { call, scheme, _ async throws(BusError) in
          try await self.refuseSandboxed(call.sender, to: "end registrations of other machines")
          return try await self.registrations.unregister(scheme)
        },
        .method(BrokerInterface.monitor) { call, _ async throws(BusError) in
          try await self.monitor(for: call.sender)
        },
        .method(BrokerInterface.status) { call async throws(BusError) in
          let facts = try await self.admission.callers.facts(of: call.sender)
          return await self.status(withSession: facts?.mayBeSandboxed == false)
        },
        .signal(BrokerInterface.progress),
        .signal(BrokerInterface.prompting),
        .signal(BrokerInterface.handling),
        .signal(BrokerInterface.permissionsChanged),
        .property(BrokerInterface.version) { BrokerDaemon.version },
      ], refusal: refusal)
  }

  /// The object with `org.freedesktop.Application` on the handler's name, for callers of the standard interface.
  private var handlerObject: BusObject {
    BusObject(
      ApplicationInterface.handlerPath,
      [
        .method(ApplicationInterface.activate) { call, _ async throws(BusError) in
          _ = try await self.admission.callers.facts(of: call.sender)
        },
        .method(ApplicationInterface.open, limit: RequestSize.limit) {
          call, urls, data async throws(BusError) in
          var options = OpenOptions()
          options.wait = .accepted
          // A caller of the standard interface has no timeout, and shows no error.
          options.prompt = .leave
          // An invalid or empty token is ignored, so that the URL is opened nevertheless.
          let tokens = ["activation-token", "desktop-startup-id"].compactMap { key in
            data[key].flatMap { try? OpenOptions(["activation-token": $0]).activationToken }
          }
          options.activationToken = tokens.first
          options.startupID = tokens.last == tokens.first ? nil : tokens.last
          _ = try await self.opening.open(urls, options.entries, for: .connection(call.sender))
        },
        .method(ApplicationInterface.activateAction) { call, name, _, _ async throws(BusError) in
          _ = try await self.admission.callers.facts(of: call.sender)
          throw BusError(.notSupported, "the broker has no action “\(name)”")
        },
      ], refusal: refusal)
  }

  /// The check that rejects a call before its arguments are read, if too many calls of its caller wait.
  ///
  /// It applies only to calls that need a decision, or wait for the turn of earlier ones.
  private var refusal: @Sendable (BusName, MemberName) -> BusError? {
    { [admission] sender, member in
      switch member {
      case BrokerInterface.open.name, BrokerInterface.canOpen.name, BrokerInterface.explain.name,
        BrokerInterface.cancel.name:
        BrokerActor.onLoop { admission.rejection(of: .connection(sender)) }
      default: nil
      }
    }
  }

  private func history(
    _ options: [String: Variant], for sender: BusName
  ) async throws(BusError) -> [[String: Variant]] {
    try await refuseSandboxed(sender, to: "read the requests of other applications")
    let limit = options["limit"]?.integer ?? 100
    guard (1...Int64(HistoryStore.capacity)).contains(limit) else {
      throw BusError(.invalidRequest, "limit must be from 1 to \(HistoryStore.capacity)")
    }
    let (since, until) = (options["since"]?.integer ?? 0, options["until"]?.integer ?? .max)
    guard since <= until else { throw BusError(.invalidRequest, "since must not be after until") }
    do throws(StateError) {
      let page = try await history.page(
        limit: Int(limit), in: since..<until, before: options["before"]?.integer)
      var entries = page.entries.map(\.entries)
      if let next = page.next { entries[entries.count - 1]["next"] = .uint64(UInt64(clamping: next)) }
      return entries
    } catch {
      throw BusError(.failed, error.description)
    }
  }

  private func monitor(for sender: BusName) async throws(BusError) -> UnixFD {
    try await refuseSandboxed(sender, to: "read the requests of other applications")
    return try monitors.add(
      greeting: [
        "version": .string(BrokerDaemon.version), "pending": .uint32(UInt32(clamping: quotas.pending)),
      ])
  }

  /// Returns the caller, which is certainly outside a sandbox.
  @discardableResult
  private func refuseSandboxed(
    _ sender: BusName, to action: String
  ) async throws(BusError) -> ChargedCaller {
    let facts = try await admission.callers.facts(of: sender)
    guard facts?.mayBeSandboxed == false else {
      throw BusError(.accessDenied, "a sandboxed application may not \(action)")
    }
    return ChargedCaller(facts)
  }

  private func status(withSession: Bool) async -> [String: Variant] {
    await recovery.completeIfPossible()
    var status: [String: Variant] = [
      "version": .string(BrokerDaemon.version), "pending": .uint32(UInt32(clamping: quotas.pending)),
    ]
    status["storage"] = journal.obstacle.map { .string($0) }
    status["history"] = history.obstacle.map { .string($0) }
    status["set-aside"] = journal.setAside.map { .string($0) }
    if withSession {
      let session = CallerSession(await environment.current()).variables
      status["session"] = .dictionary(session.mapValues(Variant.string))
    }
    return status
  }
}
