import BrokerCore
import BusInterfaces
import Freedesktop
import DBus
import Logging
import RouteTables
import State

/// The recovery of the requests that an earlier broker left.
@BrokerActor
final class Recovery {
  private let journal: RequestJournal
  private let registry: RequestRegistry
  private let deliveries: DeliveryService
  private let completion: RequestCompletion
  private let policy: PolicyService
  private let admission: AdmissionQueue
  private let files: FileThread
  private let runtimeDirectory: String?
  private let log: Logger

  init(
    journal: RequestJournal, registry: RequestRegistry, deliveries: DeliveryService,
    completion: RequestCompletion, policy: PolicyService, admission: AdmissionQueue, files: FileThread,
    runtimeDirectory: String?, log: Logger
  ) {
    self.journal = journal
    self.registry = registry
    self.deliveries = deliveries
    self.completion = completion
    self.policy = policy
    self.admission = admission
    self.files = files
    self.runtimeDirectory = runtimeDirectory
    self.log = log
  }

  /// A Boolean value that indicates whether all requests of an earlier broker are loaded.
  var isComplete: Bool { admission.recovery == nil && journal.isOpen }

  /// Makes new requests wait for the stored ones, which precede them, until `finish`.
  func prepare() { admission.recovery = Promise() }

  /// Loads the stored requests and resumes them in the order of their acceptance.
  ///
  /// Only the owner of the broker's names may load them.
  func load() async { await resume(await journal.open(in: runtimeDirectory)) }

  /// Admits new requests.
  func finish() {
    let recovery = admission.recovery
    admission.recovery = nil
    recovery?.fulfil(())
  }

  /// Recovers the stored requests if the file could not be opened or was replaced before.
  func completeIfPossible() async {
    await admission.recovery?.value
    let wasReplaced = journal.leaveReplacedFile()
    await resume(journal.reopen(in: runtimeDirectory))
    if wasReplaced { deliveries.storeAgain() }
  }

  /// Returns whether another session has replaced this one, whose broker then resumes the pending requests.
  ///
  /// Programs that this broker starts would have the environment of the old session.
  func leavesToNextSession() async -> Bool {
    guard journal.leaveReplacedFile() else { return false }
    await resume(await journal.open(in: runtimeDirectory))
    deliveries.storeAgain()
    return true
  }

  private func resume(_ stored: [PendingRequest]) async {
    guard !stored.isEmpty else { return }
    let now = BootClock.now
    journal.forget(stored.filter { $0.expires <= now }.map(\.number))
    let valid = stored.filter { $0.expires > now }
    let unfinished = valid.filter { request in request.parts.contains { $0.progress != .ended } }
    if !unfinished.isEmpty { log.notice("resuming \(unfinished.count) requests of an earlier broker") }
    let installed = await installed(Set(unfinished.flatMap(\.parts).compactMap(\.target)))
    for request in valid { resume(request, installed) }
    deliveries.expireOld()
  }

  /// The current policy, and the entries of the targets that are still installed.
  private struct Installed: Sendable {
    var policy: PolicySnapshot?
    var entries: [ApplicationID: DesktopEntry] = [:]
  }

  private func installed(_ ids: Set<String>) async -> Installed {
    guard !ids.isEmpty else { return Installed() }
    let current = await policy.current()
    return await files.run {
      var installed = Installed(policy: current)
      for id in ids.compactMap({ ApplicationID(rawValue: $0) }) {
        installed.entries[id] = current.catalog.load(id, programs: current.programs).entry
      }
      return installed
    }
  }

  private func resume(_ pending: PendingRequest, _ installed: Installed) {
    do throws(MessageError) {
      let details = try PersistedDetails(pending.details)
      let request = ActiveRequest(
        key: RequestKey(caller: pending.caller, id: pending.id), number: pending.number,
        digest: pending.digest, options: details.options, endpoint: nil,
        charged: ChargedCaller(pending.caller), deadline: pending.deadline, expires: pending.expires)
      let parts = try pending.parts.map { part throws(MessageError) in
        let entry = part.target.flatMap { ApplicationID(rawValue: $0) }.flatMap { installed.entries[$0] }
        return (
          isFallback: part.isFallback,
          handle: try deliveries.resume(part, of: pending, request, to: entry, by: installed.policy)
        )
      }
      _ = registry.begin(request) { () async throws(BusError) in
        try await self.completion.receipt(
          of: request, parts.filter { !$0.isFallback }.map(\.handle),
          substitutes: parts.filter(\.isFallback).map(\.handle), from: details.source)
      }
    } catch {
      log.error(
        "cannot read a request of an earlier broker: \(error)", metadata: ["request": "\(pending.id)"])
      journal.forget([pending.number])
    }
  }
}
