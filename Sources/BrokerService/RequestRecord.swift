import BusInterfaces
import DBus
import RouteTables

/// What makes two requests the same: who asks, and the ID it gave.
struct RequestKey: Hashable, Sendable {
  let caller: String
  let id: String
}

/// A request that is under way or was answered not long ago.
struct RequestRecord: Sendable {
  /// Tells another request under the same ID; what was asked may be long, and secret, and is not kept.
  let digest: Int
  let result: Task<Result<Receipt, BusError>, Never>
  var tickets: [(Target, Target.Ticket)] = []

  /// How many answered requests are remembered.
  static let remembered = 1_000

  /// A digest of a request: another one in the next process.
  static func digest(_ urls: [URLString], _ options: [String: Variant]) -> Int {
    var hasher = Hasher()
    for url in urls { hasher.combine(Array(url.text.utf8)) }
    hasher.combine(options)
    return hasher.finalize()
  }
}
