// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import RouteTables
import Systemd

/// The admission of calls: it has their callers identified, keeps their order, and limits what one caller may have waiting.
///
/// The requests of one connection, and those of one process at the open socket, are admitted in the order of their arrival, and those of
/// one caller one at a time.
/// Other callers do not wait for them, however many they are.
@BrokerActor
final class AdmissionQueue {
  /// The calls of one connection, or of one process at the open socket, that are not admitted yet.
  private struct Line {
    /// The tickets of the calls, in the order of their arrival.
    var tickets: [AdmissionTicket] = []
    /// The caller, once one of the calls is identified.
    var caller: ChargedCaller?
    /// A Boolean value that indicates whether calls were rejected since the line was empty.
    var hasRejections = false
  }

  /// The callers of recent calls, also of those that need no admission.
  let callers: IdentifiedCallers
  private var lines: [CallerEndpoint.Line: Line] = [:]
  /// The last request of each caller that is being admitted.
  private var turns: [ChargedCaller: Promise<Void>] = [:]
  /// The number of calls that are not admitted yet, by caller; by connection, until the caller is identified.
  private var calls: SharedQuota
  /// The bytes of undecided calls, without the first `BrokerLimits.uncountedBytes` of each, by caller or connection.
  private var bytes: SharedQuota
  /// The number of URLs that are not decided yet.
  private var undecided: SharedQuota
  /// Fulfilled by the recovery when the requests of an earlier broker are queued, which precede all new ones; `nil` if none are awaited.
  private var recovery: Promise<Void>?

  /// Creates empty lines.
  ///
  /// - Parameters:
  ///   - undecided: The maximum number of undecided URLs, and of calls that are not admitted yet.
  ///   - bytes: The maximum size of the calls that are not decided yet, each without its first `BrokerLimits.uncountedBytes`.
  ///   - trust: The time for which an identified caller is believed.
  init(
    identifyingBy identification: CallerIdentification, in environment: SessionEnvironment, undecided: Int,
    bytes: Int, trust: Duration = BrokerLimits.callerTrust
  ) {
    callers = IdentifiedCallers(identifyingBy: identification, in: environment, trust: trust)
    calls = SharedQuota(capacity: undecided)
    self.bytes = SharedQuota(capacity: bytes)
    self.undecided = SharedQuota(capacity: undecided)
  }

  /// Makes new requests wait until `recovery` is fulfilled, because those of an earlier broker precede them.
  func holdNewRequests(until recovery: Promise<Void>) { self.recovery = recovery }

  /// Returns the error for a connection that must wait before its next call, and remembers it; `nil` if the connection need not wait.
  func rejection(of endpoint: CallerEndpoint) -> BusError? {
    payer(of: endpoint).flatMap { rejection(of: endpoint, paidBy: $0) }
  }

  private func rejection(
    of endpoint: CallerEndpoint, paidBy payer: String, calls count: Int = 1, bytes size: Int = 0
  ) -> BusError? {
    let reason: String
    switch (calls.shortage(of: count, for: payer), bytes.shortage(of: size, for: payer)) {
    case (.full?, _): reason = "\(calls.capacity) requests of all callers are waiting"
    case (.part(let held)?, _): reason = "\(held) requests of this caller are waiting"
    case (nil, .full?): reason = "requests of \(bytes.capacity) bytes of all callers are waiting"
    case (nil, .part(let held)?): reason = "requests of \(held) bytes of this caller are waiting"
    case (nil, nil): return nil
    }
    lines[endpoint.line]?.hasRejections = true
    return BusError(.tooMany, "\(reason) for a decision; wait until some are answered")
  }

  /// Returns the caller or connection whose share a new call takes; `nil` at the open socket, which limits its connections.
  private func payer(of endpoint: CallerEndpoint) -> String? {
    endpoint.connection.map { lines[endpoint.line]?.caller?.text ?? $0.rawValue }
  }

  /// Identifies the caller of a call and waits for its turn: behind the earlier calls of the connection, and behind the
  /// earlier requests of the caller on all its connections.
  ///
  /// - Parameters:
  ///   - urlCount: The number of URLs of the call.
  ///   - size: The size of its arguments in bytes.
  ///   - readsEnvironment: Whether the call has no session of its own, so that the process of a caller on the bus is asked.
  /// - Returns: The caller, and the ticket that must be ended; released before, it admits the next request earlier.
  /// - Throws: `TooMany` if the connection must wait before its next call.
  func admit(
    _ endpoint: CallerEndpoint, urlCount: Int = 1, size: Int = 0, readsEnvironment: Bool = false
  ) async throws(BusError) -> (caller: Result<CallerContext, BusError>, ticket: AdmissionTicket) {
    let ticket = try enter(endpoint, urlCount: urlCount, size: size)
    let caller = await self.caller(with: ticket, readsEnvironment: readsEnvironment).value
    guard let charged = try? caller.get().charged else {
      await waitForTurn(of: ticket)
      return (caller, ticket)
    }
    do throws(BusError) {
      try count(ticket, for: charged)
    } catch {
      ticket.release()
      throw error
    }
    await waitForTurn(of: ticket)
    // The call waits behind the earlier requests of its caller, and later ones wait behind it.
    let earlier = turns.updateValue(ticket.admitted, forKey: charged)
    ticket.caller = charged
    await earlier?.value
    return (caller, ticket)
  }

  /// Adds a call to the line of its connection.
  ///
  /// - Parameters:
  ///   - urlCount: The number of URLs of the call.
  ///   - size: The size of its arguments in bytes.
  /// - Returns: The ticket that must be released or ended to admit the next call.
  /// - Throws: `TooMany` if the connection must wait before its next call.
  func enter(_ endpoint: CallerEndpoint, urlCount: Int = 1, size: Int = 0) throws(BusError) -> AdmissionTicket
  {
    let ticket = AdmissionTicket(
      of: endpoint, on: callers.busNumber, urlCount: urlCount, size: size, in: self)
    if let payer = payer(of: endpoint) { try charge(ticket, to: payer) }
    lines[endpoint.line, default: Line()].tickets.append(ticket)
    admitFirst(of: endpoint.line)
    return ticket
  }

  /// Counts a waiting call to its caller instead of its connection, because a caller can have any number of connections.
  ///
  /// - Throws: `TooMany` if the caller must wait before its next call.
  func count(_ ticket: AdmissionTicket, for caller: ChargedCaller) throws(BusError) {
    if ticket.busNumber == callers.busNumber { lines[ticket.endpoint.line]?.caller = caller }
    guard ticket.payer != caller.text else { return }
    releaseCall(of: ticket)
    releaseBytes(of: ticket)
    ticket.payer = nil
    try charge(ticket, to: caller.text)
  }

  /// Charges a call and its bytes to a caller, or to its connection.
  ///
  /// - Throws: `TooMany` if there is no room for them.
  private func charge(_ ticket: AdmissionTicket, to payer: String) throws(BusError) {
    // The open socket limits its connections.
    let count = ticket.endpoint.connection == nil ? 0 : 1
    let size = max(0, ticket.size - BrokerLimits.uncountedBytes)
    if let rejection = rejection(of: ticket.endpoint, paidBy: payer, calls: count, bytes: size) {
      throw rejection
    }
    calls.hold(count, for: payer)
    bytes.hold(size, for: payer)
    (ticket.payer, ticket.calls, ticket.bytes) = (payer, count, size)
  }

  /// Releases the place of a call among the waiting calls, when it is admitted.
  private func releaseCall(of ticket: AdmissionTicket) {
    if let payer = ticket.payer { calls.release(ticket.calls, for: payer) }
    ticket.calls = 0
  }

  /// Releases the bytes of a call, when its admission ends.
  fileprivate func releaseBytes(of ticket: AdmissionTicket) {
    if let payer = ticket.payer { bytes.release(ticket.bytes, for: payer) }
    ticket.bytes = 0
  }

  /// Waits until the earlier calls of the connection and the requests of an earlier broker are admitted.
  func waitForTurn(of ticket: AdmissionTicket) async {
    await ticket.turn.value
    while let recovery {
      await recovery.value
      // Another recovery may have begun in the meantime.
      if self.recovery === recovery { self.recovery = nil }
    }
  }

  /// Forgets the callers of all connections, because the bus was lost and the next one gives their unique names to others.
  func forgetConnections() {
    callers.forgetConnections()
    for line in lines.keys { lines[line]?.caller = nil }
  }

  /// Charges the undecided URLs of a request to its caller.
  ///
  /// - Throws: `TooMany` if there is no room for them.
  fileprivate func charge(_ amount: Int, to caller: ChargedCaller) throws(BusError) {
    switch undecided.shortage(of: amount, for: caller.text) {
    case .full?:
      throw BusError(
        .tooMany, "\(undecided.capacity) URLs of all callers are waiting for a decision; try again later")
    case .part(let held)?:
      throw BusError(
        .tooMany,
        "\(held) URLs of this caller are waiting for a decision; wait until some are answered")
    case nil: undecided.hold(amount, for: caller.text)
    }
  }

  /// Releases what `charge` charged, when the URLs are decided.
  fileprivate func release(_ amount: Int, of caller: ChargedCaller) {
    undecided.release(amount, for: caller.text)
  }

  /// Returns the delay before the next request of a connection or process, after one with that number of URLs.
  ///
  /// - Parameter isBeyondLimit: Whether the request exceeded a limit of the caller.
  func delay(of endpoint: CallerEndpoint, afterURLs urlCount: Int, isBeyondLimit: Bool) -> Duration {
    let line = lines[endpoint.line]
    return AdmissionTicket.delay(
      afterURLs: urlCount, isBeyondLimit: isBeyondLimit || line?.hasRejections == true,
      waiting: line?.tickets.count ?? 0)
  }

  /// Returns the task that identifies the caller of a call.
  private func caller(
    with ticket: AdmissionTicket, readsEnvironment: Bool
  ) -> IdentifiedCallers.Identifying {
    switch ticket.endpoint {
    case .connection(let connection):
      callers.caller(of: connection, readsEnvironment: readsEnvironment)
    case .peer(let peer):
      // In its turn, because a process with many peers would keep the broker busy with their identification.
      callers.caller(of: peer) { await self.waitForTurn(of: ticket) }
    }
  }

  fileprivate func leave(_ ticket: AdmissionTicket) {
    releaseCall(of: ticket)
    let line = ticket.endpoint.line
    if let index = lines[line]?.tickets.firstIndex(where: { $0 === ticket }) {
      lines[line]?.tickets.remove(at: index)
    }
    admitFirst(of: line)
    // Another request may wait behind this one.
    if let caller = ticket.caller, turns[caller] === ticket.admitted { turns[caller] = nil }
  }

  /// Gives the first call of a line its turn, or removes an empty line.
  private func admitFirst(of line: CallerEndpoint.Line) {
    if let first = lines[line]?.tickets.first { first.turn.fulfil(()) } else { lines[line] = nil }
  }
}

/// The connection over which a caller sends requests.
enum CallerEndpoint: Hashable, Sendable {
  /// A connection on the bus.
  case connection(BusName)
  /// A process at the broker's open socket, which sends one request.
  case peer(SeqPacketConnection)

  /// The line in which the calls of a connection wait; at the open socket, those of one process.
  enum Line: Hashable {
    case connection(BusName)
    /// The ID is that of the process which the kernel reports, and decides nothing but the order.
    case process(Int32?)
  }

  /// The line in which the call waits.
  var line: Line {
    switch self {
    case .connection(let name): .connection(name)
    case .peer(let peer): .process(peer.process?.pid)
    }
  }

  /// The scope of request IDs if the caller cannot be identified; `nil` for a peer, which has no unique name.
  var scope: String? {
    switch self {
    case .connection(let name): name.rawValue
    case .peer: nil
    }
  }

  /// The bus connection that receives progress signals; `nil` for a peer.
  var connection: BusName? {
    if case .connection(let name) = self { name } else { nil }
  }
}

/// The admission of a call: its turn, for whose end the later calls of its connection and its caller wait, and the room of
/// its undecided URLs.
@BrokerActor
final class AdmissionTicket {
  /// Fulfilled when the earlier calls of the connection are admitted.
  fileprivate let turn = Promise<Void>()
  fileprivate let admitted = Promise<Void>()
  fileprivate let endpoint: CallerEndpoint
  /// The number of the bus of the connection.
  fileprivate let busNumber: Int
  /// The size of the arguments of the call in bytes.
  fileprivate let size: Int
  /// The caller or connection to which the call is charged; `nil` if it is charged to none.
  fileprivate var payer: String?
  /// The waiting calls and the undecided bytes that are charged to it.
  fileprivate var (calls, bytes) = (0, 0)
  private let urlCount: Int
  private let queue: AdmissionQueue
  /// The caller, once it is identified.
  fileprivate var caller: ChargedCaller?
  /// The caller to whom undecided URLs are charged, and their number; `nil` if none are.
  private var charged: (caller: ChargedCaller, urlCount: Int)?

  fileprivate init(
    of endpoint: CallerEndpoint, on busNumber: Int, urlCount: Int, size: Int, in queue: AdmissionQueue
  ) {
    self.busNumber = busNumber
    self.endpoint = endpoint
    self.urlCount = urlCount
    self.size = size
    self.queue = queue
  }

  /// Charges the undecided URLs of the call to its caller, until `end`.
  ///
  /// - Parameter isRepetition: Whether they are undecided or delivered for an earlier call; this one then counts as one URL.
  /// - Throws: `TooMany` if there is no room for them.
  func charge(asRepetition isRepetition: Bool = false) throws(BusError) {
    guard let caller, charged == nil else { return }
    let count = isRepetition ? 1 : max(1, urlCount)
    try queue.charge(count, to: caller)
    charged = (caller, count)
  }

  /// Admits the next calls, while this one may keep its URLs and bytes until `end`.
  ///
  /// Later calls of this function have no effect.
  func release() { if admitted.fulfil(()) { queue.leave(self) } }

  /// Ends the admission when the URLs are decided or rejected, and admits the next calls after a delay in which other
  /// callers have their turns.
  ///
  /// - Parameter isBeyondLimit: Whether the request exceeded a limit of the caller.
  func end(isBeyondLimit: Bool) {
    if let charged { queue.release(charged.urlCount, of: charged.caller) }
    charged = nil
    queue.releaseBytes(of: self)
    let delay = queue.delay(of: endpoint, afterURLs: urlCount, isBeyondLimit: isBeyondLimit)
    guard delay > .zero else { return release() }
    BrokerActor.loop.start { [self] in
      try? await BrokerActor.loop.sleep(for: delay)
      release()
    }
  }

  /// Returns the delay before a caller's next request after one that was expensive or exceeded a limit, or while many wait.
  ///
  /// It leaves most of the time to other callers.
  nonisolated static func delay(afterURLs urlCount: Int, isBeyondLimit: Bool, waiting: Int) -> Duration {
    let forURLs: Duration = urlCount > 16 ? .microseconds(100 * min(urlCount, 1_000)) : .zero
    let forWaiting: Duration = waiting > 64 ? .milliseconds(1) : .zero
    return max(forURLs, forWaiting, isBeyondLimit ? .milliseconds(5) : .zero)
  }
}
