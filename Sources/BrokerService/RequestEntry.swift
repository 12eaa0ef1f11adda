import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import RouteTables

/// What makes two requests the same: who asks, and the ID it gave.
struct RequestKey: Hashable, Sendable {
  let caller: String
  let id: String
}

/// A request that is under way or was answered not long ago.
struct RequestEntry: Sendable {
  /// Tells another request under the same ID; what was asked may be long, and secret, and is not kept.
  let digest: [UInt8]
  /// Its place in the order of acceptance.
  let number: Int64
  var result: PendingReceipt
  var tickets: [(DeliveryQueue, DeliveryQueue.Ticket)] = []
  /// Who asked last: the same caller may come again on another connection, and to another broker.
  var requester: CallerEndpoint?
  /// Whether its caller gave it up, perhaps before it had a ticket.
  var isWithdrawn = false
  /// The application whose sandbox its caller is in.
  var sandbox: ApplicationID?
  /// The hops that it has made since the user acted; `nil` until its source is known.
  var hops: UInt32?
  /// Waits for a person's answer.
  var asking: Task<PromptResponse, Never>?

  /// How many answered requests are remembered.
  static let remembered = 1_000

  /// A digest of a request: the same in every process that has `key`.
  static func digest(_ urls: [URLString], _ options: [String: Variant], _ key: [UInt8]) -> [UInt8] {
    var digest = KeyedDigest(key: key)
    for url in urls { digest.add(text: url.text) }
    // Whoever asks again asks for the same.
    var options = options
    options.removeValue(forKey: OpenOptions.againKey)
    digest.add(text: JSONText.line(options))
    return digest.finish()
  }
}

/// What became of a request, or will.
enum PendingReceipt: Sendable {
  case awaited(Task<Result<Receipt, BusError>, Never>)
  // Not the task any longer: one that has ended still holds all the memory that it ran in.
  case known(Result<Receipt, BusError>)

  /// What became of it, once that is known.
  var value: Result<Receipt, BusError> {
    get async {
      switch self {
      case .awaited(let task): await task.value
      case .known(let result): result
      }
    }
  }
}

/// One request on its way from its arrival to its receipt.
struct ActiveRequest: Sendable {
  /// The ID that the caller gave, or one of ours.
  let id: String
  let key: RequestKey
  let number: Int64
  let digest: [UInt8]
  private(set) var options: OpenOptions
  /// Who called; `nil` when that was another broker's caller.
  let requester: CallerEndpoint?
  /// The caller that limits and rates count for.
  let charged: ChargedCaller
  /// When its caller waits no longer.
  let deadline: Int64
  /// When it is too old.
  let expires: Int64

  /// The same for the fallback, which is a link like any other, whatever it takes the place of.
  var forFallback: ActiveRequest {
    var request = self
    request.options.target = nil
    request.options.reason = .url
    request.options.payload = nil
    request.options.desktopAction = nil
    request.options.universalLinksOnly = false
    return request
  }

  /// The ID that a target knows one of its parts by: the same for the same request, whichever broker carries it.
  ///
  /// Callers choose IDs each for themselves; a target must never take one caller's for another's.
  func targetID(of place: Int, _ key: [UInt8]) -> String {
    guard place > 0 || options.requestID != nil else { return id }
    var digest = KeyedDigest(key: key)
    for text in [self.key.caller, id, "\(place)"] { digest.add(text: text) }
    return digest.hexadecimal()
  }
}
