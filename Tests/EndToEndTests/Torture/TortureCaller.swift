// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport

/// One request of the stress test.
struct TortureRequest: Sendable {
  let number: Int
  let target: TortureTarget
  let behaviour: String
  let wait: OpenOptions.Wait
  /// The index of the burst: requests to one target that were sent without waiting in between.
  let burst: Int
  var url: String { "probe:\(behaviour)/\(number)" }
}

/// The result that a caller received.
struct TortureResult: Sendable {
  let request: TortureRequest
  let outcome: Outcome
  let error: String?
  let isRedelivered: Bool
  /// A Boolean value that is `true` if the broker exited during the call, and the caller repeated it.
  let isRetried: Bool
}

/// A caller that repeats its request if the broker exits before the reply, like `usher open`.
///
/// It does not repeat a request whose outcome the broker has declared unknown.
actor TortureCaller {
  private let bus: BusConnection
  private let progress: TortureProgress
  private var uncertain: Set<String> = []
  private var markers: [String: CheckedContinuation<Void, Never>] = [:]

  init(_ desk: InstalledDesktop, _ progress: TortureProgress) async throws {
    bus = try await desk.connect()
    self.progress = progress
    let words = try await bus.signals(BrokerInterface.progress)
    Task {
      for await word in words {
        let (id, outcome, _) = word.values
        if outcome == Outcome.unknown.rawValue { uncertain.insert(id) }
        markers.removeValue(forKey: id)?.resume()
      }
    }
  }

  /// Returns `true` if the broker, before it exited, declared the outcome of a request unknown.
  private func isUncertain(_ id: String) async throws -> Bool {
    // The signals of the broker precede this marker, so that they have been read when the marker arrives.
    let marker = "marker-\(id)"
    try await bus.emit(BrokerInterface.progress, from: BrokerInterface.path, marker, "", "")
    await withCheckedContinuation { markers[marker] = $0 }
    return uncertain.contains(id)
  }

  /// Sends the bursts in sequence; all requests of a burst are sent before the first reply.
  func run(_ bursts: [[TortureRequest]]) async throws -> [TortureResult] {
    var results: [TortureResult] = []
    for burst in bursts {
      // Tasks that inherit an actor start in the order of their creation.
      let calls = burst.map { request in
        Task {
          _ = self
          return try await self.open(request)
        }
      }
      for call in calls {
        results.append(try await call.value)
        await progress.advance()
      }
    }
    await bus.close()
    return results
  }

  private func open(_ request: TortureRequest) async throws -> TortureResult {
    var options = OpenOptions()
    let id = "torture-\(request.number)"
    options.requestID = id
    options.target = request.target.id
    options.wait = request.wait
    options.timeout = request.behaviour == "hang" ? .seconds(1) : .seconds(120)
    var isRetried = false
    while true {
      do throws(BusError) {
        let entries = try await bus.call(
          BrokerInterface.open, at: BrokerInterface.broker, [request.url], options.entries,
          timeout: .seconds(150) * timeoutFactor)
        return result(request, try? Receipt(entries), nil, isRetried)
      } catch {
        guard error.isOfABrokerThatWent else {
          return result(request, try? Receipt(error.details), error.name.rawValue, isRetried)
        }
        guard try await !isUncertain(id) else {
          return TortureResult(
            request: request, outcome: .unknown, error: nil, isRedelivered: false, isRetried: true)
        }
        isRetried = true
      }
    }
  }

  private func result(
    _ request: TortureRequest, _ receipt: Receipt?, _ error: String?, _ isRetried: Bool
  ) -> TortureResult {
    TortureResult(
      request: request, outcome: receipt?.outcome ?? .failed,
      error: error ?? receipt?.deliveries.compactMap(\.error).first?.rawValue,
      isRedelivered: receipt?.deliveries.contains(where: \.isRedelivered) ?? false, isRetried: isRetried)
  }
}

extension BusError {
  /// A Boolean value that is `true` if the call failed because no broker answered it.
  fileprivate var isOfABrokerThatWent: Bool {
    switch name {
    case .noReply, .disconnected, .serviceUnknown, .nameHasNoOwner: true
    default: name.rawValue.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
    }
  }
}

/// A counter of answered requests.
actor TortureProgress {
  private var count = 0
  private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  func advance() {
    count += 1
    let due = waiting.filter { $0.count <= count }
    waiting.removeAll { $0.count <= count }
    for waiter in due { waiter.continuation.resume() }
  }

  /// Waits until this number of requests is answered.
  func reach(_ count: Int) async {
    guard self.count < count else { return }
    await withCheckedContinuation { waiting.append((count, $0)) }
  }
}
