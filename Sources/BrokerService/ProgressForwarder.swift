import BusInterfaces
import DBus
import Systemd

/// The requests that applications are handling while their callers wait, with the connections that may report progress.
///
/// Any program on the bus can send progress signals; only those of the connection that received the request are
/// forwarded.
actor ProgressForwarder {
  private nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private struct Handling {
    let owner: BusName
    let tell: @Sendable (RequestProgress) -> Void
    var rate = ProgressRate()
  }

  /// The handled requests, by the ID that the application received.
  private var handlings: [String: Handling] = [:]

  init(on loop: EventLoop) { self.loop = loop }

  /// Records that the connection `owner` has received a request.
  func begin(_ requestID: String, by owner: BusName, _ tell: @escaping @Sendable (RequestProgress) -> Void) {
    handlings[requestID] = Handling(owner: owner, tell: tell)
  }

  /// Records that the caller no longer waits for a request.
  func end(_ requestID: String) { handlings[requestID] = nil }

  /// Forwards the progress that `sender` reports, if it has the request, the report is valid, and the rate permits it.
  func take(_ requestID: String, _ entries: [String: Variant], from sender: BusName) {
    guard handlings[requestID]?.owner == sender, let progress = try? RequestProgress(entries),
      handlings[requestID]?.rate.take(at: .now) == true
    else { return }
    handlings[requestID]?.tell(progress)
  }
}

/// The subscription of a caller to the progress of one request.
struct ProgressSubscription: Sendable {
  private let handlings: ProgressForwarder
  private let tell: @Sendable (RequestProgress) -> Void

  init(_ handlings: ProgressForwarder, _ tell: @escaping @Sendable (RequestProgress) -> Void) {
    self.handlings = handlings
    self.tell = tell
  }

  /// Records that the connection `owner` has received the request.
  func begin(_ requestID: String, by owner: BusName) {
    handlings.assumeIsolated { $0.begin(requestID, by: owner, tell) }
  }

  /// Records that the caller no longer waits for it.
  func end(_ requestID: String) { handlings.assumeIsolated { $0.end(requestID) } }
}

extension BrokerDaemon {
  /// Starts to listen for the progress signals of applications.
  func listenToHandlers() async throws(BusError) {
    let reported = try await bus.signals(Application1Interface.progress)
    loop.start { [handlings] in
      for await signal in reported {
        let (requestID, progress) = signal.values
        await handlings.take(requestID, progress, from: signal.sender)
      }
    }
  }

  /// Returns a subscription that forwards progress to the caller of a request; `nil` if the caller does not wait for it.
  nonisolated func watch(_ request: ActiveRequest, _ application: String?) -> ProgressSubscription? {
    guard request.options.wait == .handled, let application else { return nil }
    return ProgressSubscription(handlings) { [self] progress in
      let sender = assumeIsolated { $0.requests[request.key]?.requester?.connection }
      // The caller is disconnected and needs no progress.
      guard let sender else { return }
      bus.assumeIsolated { bus in
        try? bus.emit(
          BrokerInterface.handling, from: BrokerInterface.path, to: sender, request.id, application,
          progress.entries)
      }
    }
  }
}
