// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Launching
import RouteTables
import State

/// A request in progress, from its arrival until all its deliveries are finished.
@BrokerActor
final class ActiveRequest {
  let key: RequestKey
  /// The number of the request, in the order of acceptance.
  let number: Int64
  /// A digest that detects another request with the same ID; empty if the caller gave it none.
  let digest: [UInt8]
  let options: OpenOptions
  var caller: RequestCaller
  /// The times of the request, which change only if it outlives its caller while the user is asked.
  var times: RequestTimes
  var record = JournalRecord()
  /// The state of a request that outlives its caller while the user is asked; `nil` if the caller waits for the answer.
  let left: LeftRequest?
  /// The findings of the decision about the caller.
  var facts = SourceFacts()
  /// The task that waits for the user's answer; `nil` if there is none.
  var prompt: Task<PromptResponse, Never>?
  /// The deliveries, as far as they are started.
  var deliveries: [DeliveryHandle] = []
  /// A Boolean value that indicates whether the caller has cancelled the request, possibly before it had a delivery.
  private(set) var isWithdrawn = false

  /// The findings of a decision about the caller of a request.
  struct SourceFacts {
    /// The application whose sandbox the caller is in; `nil` outside a sandbox.
    var sandbox: SourceApplication?
    /// The container of the caller, if it reveals no application.
    var container: CallerContainer?
    /// The hops that the request has made since the user acted; `nil` until its source is known.
    var hops: UInt32?
    /// A Boolean value that indicates whether its activation token counted as a click.
    var isByClick = false
    /// The session in which programs are started for the request.
    var session = CallerSession.unknown
  }

  /// The state of a request in the journal that its deliveries have in common.
  struct JournalRecord {
    /// The stored forms of the deliveries that have ended, by index, for a file that replaces a lost one.
    var endedParts: [Int: PendingRequest.Part] = [:]
    /// A Boolean value that indicates whether a delivery was retained after the caller's timeout, so that the request is stored without one.
    var isRetained = false
  }

  init(
    key: RequestKey, number: Int64, digest: [UInt8], options: OpenOptions, endpoint: CallerEndpoint?,
    charged: ChargedCaller, times: RequestTimes
  ) {
    self.key = key
    self.number = number
    self.digest = digest
    self.options = options
    caller = RequestCaller(charged: charged, endpoint: endpoint, tokens: CallerTokens(options))
    self.times = times
    left = options.prompt == .leave ? LeftRequest() : nil
  }

  /// Creates a request that has arrived from a caller.
  ///
  /// - Parameters:
  ///   - entries: The options as the caller sent them.
  ///   - scope: The scope of the caller's request IDs.
  convenience init(
    _ urls: [URLString], _ entries: [String: Variant], options: OpenOptions, from caller: CallerContext,
    scope: String, at endpoint: CallerEndpoint, arrived arrival: ContinuousClock.Instant,
    journal: RequestJournal
  ) {
    let (number, secret) = journal.accept()
    // Without an ID from the caller, the request cannot be repeated.
    let digest = options.requestID == nil ? [] : Self.digest(of: urls, entries, secret: secret)
    self.init(
      key: RequestKey(caller: scope, id: options.requestID ?? RequestID.random()),
      number: number, digest: digest, options: options, endpoint: endpoint,
      charged: caller.charged,
      times: RequestTimes(
        arrived: arrival, timeout: options.timeout, lifetime: journal.limits.lifetime))
  }

  /// Creates a request that an earlier broker stored.
  convenience init(resuming pending: PendingRequest, _ details: PersistedDetails) {
    self.init(
      key: RequestKey(of: pending), number: pending.number, digest: pending.digest, options: details.options,
      endpoint: nil, charged: ChargedCaller(pending.caller), times: RequestTimes(of: pending))
    facts.sandbox = details.sandbox.map { details.source.inSandbox(of: $0) }
    facts.session = details.session
  }

  /// Creates a request that an earlier broker stored, and whose options cannot be read.
  convenience init(resumingUnreadable pending: PendingRequest) {
    self.init(
      key: RequestKey(of: pending), number: pending.number, digest: pending.digest, options: OpenOptions(),
      endpoint: nil, charged: ChargedCaller(pending.caller), times: RequestTimes(of: pending))
  }

  /// Cancels the request for its caller.
  func withdraw() {
    isWithdrawn = true
    prompt?.cancel()
    for delivery in deliveries { delivery.job?.cancel() }
  }

  /// Releases the deliveries of the request if none is in progress; otherwise returns `false`.
  ///
  /// A delivery refers to its request, so that the two would keep each other in memory.
  func releaseIfFinished() -> Bool {
    guard deliveries.allSatisfy(\.isFinished) else { return false }
    deliveries = []
    record.endedParts = [:]
    return true
  }

  /// Returns the ID of a delivery for its target, which is stable for a request in all brokers.
  ///
  /// Callers choose their IDs independently, so the ID for the target also depends on the caller.
  func targetID(at index: Int, secret: [UInt8]) -> String {
    guard index > 0 || options.requestID != nil else { return key.id }
    var digest = KeyedDigest(key: secret)
    for text in [key.caller, key.id, "\(index)"] { digest.add(text: text) }
    return digest.hexadecimal()
  }

  /// Returns the stored form of the request, with `deliveries` and the outcomes of `earlier` ones.
  func pending(
    _ deliveries: [PlannedDelivery], from source: SourceApplication, after earlier: [Delivery] = []
  ) -> PendingRequest {
    let count = earlier.count + deliveries.count
    let finished = earlier.enumerated().map { index, delivery in
      PendingRequest.Part(
        index: index, target: delivery.application, content: "", progress: .ended,
        result: JSONText.line(delivery.kept(among: count).entries))
    }
    let (deadline, expires) = times.stored
    return PendingRequest(
      number: number, caller: key.caller, id: key.id, digest: digest,
      details: PersistedDetails(options: options, source: source, facts: facts).text,
      deadline: record.isRetained ? expires : deadline, expires: expires,
      parts: finished + deliveries.map { $0.pending(among: count, sandbox: facts.sandbox?.id) })
  }

  /// Returns a digest of a request, which is equal in all processes that have `secret`.
  ///
  /// The content itself is not retained, because it may be long and secret.
  nonisolated static func digest(
    of urls: [URLString], _ options: [String: Variant], secret: [UInt8]
  ) -> [UInt8] {
    var digest = KeyedDigest(key: secret)
    for url in urls { digest.add(text: url.text) }
    // A repetition may differ from the original in these options.
    var options = options
    let varying = [
      OpenOptions.againKey, OpenOptions.firstAttemptKey, OpenOptions.plainErrorsKey,
      OpenOptions.signInWaitsKey,
    ]
    for key in varying { options.removeValue(forKey: key) }
    digest.add(text: JSONText.line(options))
    return digest.finish()
  }
}

/// The times of a request, taken once when it arrives.
struct RequestTimes {
  /// The arrival, in microseconds since 1970.
  let date: Int64
  let arrival: ContinuousClock.Instant
  /// The end of the caller's timeout.
  var deadline: ContinuousClock.Instant
  /// The end of the request's lifetime, which is not before the deadline.
  var expires: ContinuousClock.Instant

  init(
    arrived arrival: ContinuousClock.Instant, deadline: ContinuousClock.Instant,
    expires: ContinuousClock.Instant
  ) {
    date = BootClock.microsecondsSince1970(at: arrival)
    self.arrival = arrival
    self.deadline = deadline
    self.expires = expires
  }

  /// Creates the times of a request that arrived at `arrival`.
  init(arrived arrival: ContinuousClock.Instant, timeout: Duration, lifetime: Duration) {
    self.init(
      arrived: arrival, deadline: arrival + timeout, expires: .now + max(lifetime, timeout))
  }

  /// Creates the times of a request that an earlier broker stored.
  init(of pending: PendingRequest) {
    let expires = BootClock.instant(at: pending.expires)
    // Two conversions differ slightly, because each reads the clocks.
    let deadline =
      pending.deadline == pending.expires ? expires : BootClock.instant(at: pending.deadline)
    self.init(arrived: .now, deadline: deadline, expires: expires)
  }

  /// The deadline and the expiry, in nanoseconds since boot.
  var stored: (deadline: Int64, expires: Int64) {
    let expires = BootClock.nanoseconds(at: self.expires)
    return (outlivesCaller ? expires : BootClock.nanoseconds(at: deadline), expires)
  }

  /// A Boolean value that indicates whether the caller got its receipt, and the request is delivered until it expires.
  var outlivesCaller: Bool { deadline == expires }
}

/// The identity of a request: its caller, and the ID that the caller gave it.
struct RequestKey: Hashable, Sendable {
  let caller: String
  let id: String
}

extension RequestKey {
  /// Creates the identity of a stored request.
  init(of pending: PendingRequest) { self.init(caller: pending.caller, id: pending.id) }
}
