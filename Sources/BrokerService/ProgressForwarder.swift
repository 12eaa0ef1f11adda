import BusInterfaces
import DBus
import Systemd

/// The requests that applications are handling while somebody waits for that, and who may tell how far they are.
///
/// Anybody on the bus may send such a signal; only the very connection that has the request is listened to.
actor ProgressForwarder {
  private nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private struct Handling {
    let owner: BusName
    let tell: @Sendable (RequestProgress) -> Void
    var rate = ProgressRate()
  }

  /// By the ID that the application knows the request by.
  private var handlings: [String: Handling] = [:]

  init(on loop: EventLoop) { self.loop = loop }

  /// The connection `owner` has a request from now on.
  func begin(_ requestID: String, by owner: BusName, _ tell: @escaping @Sendable (RequestProgress) -> Void) {
    handlings[requestID] = Handling(owner: owner, tell: tell)
  }

  /// Nobody waits for a request any more.
  func end(_ requestID: String) { handlings[requestID] = nil }

  /// Passes on what `sender` says of a request, if it has it, says something, and has not just said something.
  func take(_ requestID: String, _ entries: [String: Variant], from sender: BusName) {
    guard handlings[requestID]?.owner == sender, let progress = try? RequestProgress(entries),
      handlings[requestID]?.rate.take(at: .now) == true
    else { return }
    handlings[requestID]?.tell(progress)
  }
}

/// The watch over one request that an application handles, for the caller who waits for that.
struct ProgressSubscription: Sendable {
  private let handlings: ProgressForwarder
  private let tell: @Sendable (RequestProgress) -> Void

  init(_ handlings: ProgressForwarder, _ tell: @escaping @Sendable (RequestProgress) -> Void) {
    self.handlings = handlings
    self.tell = tell
  }

  /// The connection `owner` has the request from now on.
  func begin(_ requestID: String, by owner: BusName) {
    handlings.assumeIsolated { $0.begin(requestID, by: owner, tell) }
  }

  /// Nobody waits for it any more.
  func end(_ requestID: String) { handlings.assumeIsolated { $0.end(requestID) } }
}

extension BrokerDaemon {
  /// Listens from now on to what applications say of the requests that they are handling.
  func listenToHandlers() async throws(BusError) {
    let reported = try await bus.signals(Application1Interface.progress)
    loop.start { [handlings] in
      for await signal in reported {
        let (requestID, progress) = signal.values
        await handlings.take(requestID, progress, from: signal.sender)
      }
    }
  }

  /// Tells the caller of a request how far `application` is with handling it, if it waits for that.
  nonisolated func watch(_ request: ActiveRequest, _ application: String?) -> ProgressSubscription? {
    guard request.options.wait == .handled, let application else { return nil }
    return ProgressSubscription(handlings) { [self] progress in
      let sender = assumeIsolated { $0.requests[request.key]?.requester?.connection }
      // A caller that has gone misses nothing that it could use.
      guard let sender else { return }
      bus.assumeIsolated { bus in
        try? bus.emit(
          BrokerInterface.handling, from: BrokerInterface.path, to: sender, request.id, application,
          progress.entries)
      }
    }
  }
}
