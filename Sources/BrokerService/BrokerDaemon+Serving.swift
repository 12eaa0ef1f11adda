import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import RouteFiles
import RouteTables
import State

extension BrokerDaemon {
  /// The object with `org.usher.Broker1`, as `desktop/org.usher.Broker1.xml` documents it.
  var brokerObject: BusObject {
    BusObject(
      BrokerInterface.path,
      [
        .method(BrokerInterface.open, limit: RequestSize.limit) {
          call, urls, options async throws(BusError) in
          try await self.open(urls, options, for: .connection(call.sender)).entries
        },
        .method(BrokerInterface.canOpen) { call, url async throws(BusError) in
          try await self.canOpen(url, for: call.sender)
        },
        .method(BrokerInterface.explain) { call, url, options async throws(BusError) in
          try await self.explain(url, options, for: call.sender)
        },
        .method(BrokerInterface.cancel) { call, id async throws(BusError) in
          try await self.cancel(id, for: call.sender)
        },
        .method(BrokerInterface.history) { call, options async throws(BusError) in
          try await self.history(options, for: call.sender)
        },
        .method(BrokerInterface.grants) { call, options async throws(BusError) in
          try await self.grants(options, for: call.sender)
        },
        .method(BrokerInterface.allow) { call, grant async throws(BusError) in
          try await self.allow(grant, for: call.sender)
        },
        .method(BrokerInterface.revoke) { call, options async throws(BusError) in
          try await self.revoke(options, for: call.sender)
        },
        .method(BrokerInterface.monitor) { call, _ async throws(BusError) in
          try await self.monitor(for: call.sender)
        },
        .method(BrokerInterface.status) { call async throws(BusError) in
          _ = try await self.identification.facts(of: call.sender)
          return await self.status()
        },
        .signal(BrokerInterface.progress),
        .signal(BrokerInterface.handling),
        .property(BrokerInterface.version) { Self.version },
      ], refusal: refusal)
  }

  /// The check that rejects a call if too many requests of its connection are undecided.
  ///
  /// It applies only to calls that need a decision.
  private nonisolated var refusal: @Sendable (BusName, MemberName) -> BusError? {
    { [self] sender, member in
      switch member {
      case BrokerInterface.open.name, BrokerInterface.canOpen.name, BrokerInterface.explain.name:
        assumeIsolated { $0.obstacle(to: .connection(sender)) }
      default: nil
      }
    }
  }

  /// The object with `org.freedesktop.Application` on the handler's name, for callers of the standard interface.
  var handlerObject: BusObject {
    BusObject(
      ApplicationInterface.handlerPath,
      [
        .method(ApplicationInterface.activate) { _, _ async throws(BusError) in },
        .method(ApplicationInterface.open, limit: RequestSize.limit) {
          call, urls, data async throws(BusError) in
          var options = OpenOptions()
          options.wait = .accepted
          // An invalid or empty token is ignored, so that the URL is opened nevertheless.
          options.activationToken =
            ["activation-token", "desktop-startup-id"].compactMap { key in
              data[key].flatMap { try? OpenOptions(["activation-token": $0]).activationToken }
            }.first
          _ = try await self.open(urls, options.entries, for: .connection(call.sender))
        },
        .method(ApplicationInterface.activateAction) { _, name, _, _ async throws(BusError) in
          throw BusError(.notSupported, "the broker has no action “\(name)”")
        },
      ], refusal: refusal)
  }

  func history(
    _ options: [String: Variant], for sender: BusName
  ) async throws(BusError) -> [[String: Variant]] {
    try await refuseSandboxed(sender)
    let limit = options["limit"]?.integer ?? 100
    guard (1...Int64(HistoryStore.capacity)).contains(limit) else {
      throw BusError(.invalidRequest, "limit must be from 1 to \(HistoryStore.capacity)")
    }
    do throws(StateError) {
      return try await history.entries(limit: Int(limit)).map(\.entries)
    } catch {
      throw BusError(.failed, error.description)
    }
  }

  func monitor(for sender: BusName) async throws(BusError) -> UnixFD {
    try await refuseSandboxed(sender)
    let pending = await journal.pending
    return try await monitors.add(
      greeting: ["version": .string(Self.version), "pending": .uint32(UInt32(clamping: pending))])
  }

  func refuseSandboxed(
    _ sender: BusName, what: String = "read the requests of other applications"
  ) async throws(BusError) {
    guard try await identification.facts(of: sender)?.mayBeSandboxed == false else {
      throw BusError(.accessDenied, "a sandboxed application may not \(what)")
    }
  }

  func status() async -> [String: Variant] {
    await recoverIfPossibleNow()
    return statusNow()
  }

  private func statusNow() -> [String: Variant] {
    let (pending, obstacle, setAside) = journal.assumeIsolated { ($0.pending, $0.obstacle, $0.setAside) }
    var status: [String: Variant] = [
      "version": .string(Self.version), "pending": .uint32(UInt32(clamping: pending)),
    ]
    status["storage"] = obstacle.map { .string($0) }
    status["history"] = history.assumeIsolated { $0.obstacle }.map { .string($0) }
    status["set-aside"] = setAside.map { .string($0) }
    return status
  }
}
