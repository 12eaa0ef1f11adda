import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import RouteTables

/// The identity of a request: its caller, and the ID that the caller gave it.
struct RequestKey: Hashable, Sendable {
  let caller: String
  let id: String
}

/// A request that is in progress or was answered recently.
struct RequestEntry: Sendable {
  /// A digest that detects another request with the same ID.
  ///
  /// The content itself is not retained, because it may be long and secret.
  let digest: [UInt8]
  /// The number of the request, in the order of acceptance.
  let number: Int64
  var result: PendingReceipt
  var tickets: [(DeliveryQueue, DeliveryQueue.Ticket)] = []
  /// The endpoint that asked last.
  ///
  /// A caller may repeat its request on another connection, and to another broker.
  var requester: CallerEndpoint?
  /// A Boolean value that indicates whether the caller has cancelled the request, possibly before it had a ticket.
  var isWithdrawn = false
  /// The application whose sandbox the caller is in; `nil` outside a sandbox.
  var sandbox: ApplicationID?
  /// The hops that the request has made since the user acted; `nil` until its source is known.
  var hops: UInt32?
  /// The task that waits for the user's answer; `nil` if there is none.
  var asking: Task<PromptResponse, Never>?

  /// The number of answered requests that are retained.
  static let remembered = 1_000

  /// Returns a digest of a request, which is equal in all processes that have `key`.
  static func digest(_ urls: [URLString], _ options: [String: Variant], _ key: [UInt8]) -> [UInt8] {
    var digest = KeyedDigest(key: key)
    for url in urls { digest.add(text: url.text) }
    // A repetition differs from the original only in this option.
    var options = options
    options.removeValue(forKey: OpenOptions.againKey)
    digest.add(text: JSONText.line(options))
    return digest.finish()
  }
}

/// The result of a request, known or pending.
enum PendingReceipt: Sendable {
  case awaited(Task<Result<Receipt, BusError>, Never>)
  // The task is not retained, because a finished task still holds its memory.
  case known(Result<Receipt, BusError>)

  /// The result, once it is known.
  var value: Result<Receipt, BusError> {
    get async {
      switch self {
      case .awaited(let task): await task.value
      case .known(let result): result
      }
    }
  }
}

/// A request in progress, from its arrival to its receipt.
struct ActiveRequest: Sendable {
  /// The ID from the caller, or a random one.
  let id: String
  let key: RequestKey
  let number: Int64
  let digest: [UInt8]
  private(set) var options: OpenOptions
  /// The endpoint of the caller; `nil` if an earlier broker received the request.
  let requester: CallerEndpoint?
  /// The identity to which quotas and rates are charged.
  let charged: ChargedCaller
  /// The time at which the caller's timeout expires, in nanoseconds since boot.
  let deadline: Int64
  /// The time at which the request expires, in nanoseconds since boot.
  let expires: Int64

  /// The request for the fallback, without the options that apply to the original URLs only.
  var forFallback: ActiveRequest {
    var request = self
    request.options.target = nil
    request.options.reason = .url
    request.options.payload = nil
    request.options.desktopAction = nil
    request.options.universalLinksOnly = false
    return request
  }

  /// Returns the ID of a part for its target, which is stable for a request in all brokers.
  ///
  /// Callers choose their IDs independently, so the target's ID also depends on the caller.
  func targetID(of place: Int, _ key: [UInt8]) -> String {
    guard place > 0 || options.requestID != nil else { return id }
    var digest = KeyedDigest(key: key)
    for text in [self.key.caller, id, "\(place)"] { digest.add(text: text) }
    return digest.hexadecimal()
  }
}
