// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Glibc
import Logging
import TestSupport
import Testing

@testable import BrokerService
@testable import Systemd

@Suite struct `The registry of requests` {
  private struct WeakReference {
    weak var object: RequestRegistry?
  }

  /// Waits until the event loop has done what it was to do in this turn.
  @BrokerActor private func finishTurn() async {
    await withCheckedContinuation { done in BrokerActor.loop.submitAfterwards { done.resume() } }
  }

  /// Each failed request at the open socket left a task that slept for a minute, and retained the registry.
  @BrokerActor @Test func `has no task that waits until a caller at the socket has fetched its answer`()
    async throws
  {
    let directory = try TemporaryDirectory()
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
    defer { close(ends[1]) }
    let peer = try #require(
      SeqPacketConnection(ends[0], SeqPacketConnection.Count(), asksKernel: false))
    let log = Logger(label: "registry")
    let journal = RequestJournal(
      BrokerLimits(), busAddress: "unix:path=\(directory.path)/bus", log: log, atCommit: nil)
    var options = OpenOptions()
    options.requestID = "1"
    let request = ActiveRequest(
      key: RequestKey(caller: "caller", id: "1"), number: 1, digest: [1], options: options,
      endpoint: .peer(peer), charged: .unidentified,
      times: RequestTimes(arrived: .now, timeout: .seconds(20), lifetime: .seconds(600)))
    var registry: RequestRegistry? = RequestRegistry(journal: journal, log: log)
    let reference = WeakReference(object: registry)
    let result = await registry?.begin(request, isLogged: false) { () async throws(BusError) -> Receipt in
      throw BusError(.failed, "no application opens it")
    }.value
    guard case .failure? = result else { throw TestSupportError("the request succeeded") }
    // The answer is kept after the caller has received it.
    await finishTurn()
    #expect(reference.object?.number(of: request.key) == 1)
    registry = nil
    // The tasks that are over release the registry in one of the next turns.
    for _ in 0..<100 where reference.object != nil { await finishTurn() }
    #expect(reference.object == nil)
  }
}
