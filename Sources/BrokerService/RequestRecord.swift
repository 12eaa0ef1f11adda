import BusInterfaces
import DBus

/// What makes two requests the same: who asks, and the ID it gave.
struct RequestKey: Hashable, Sendable {
  let caller: String
  let id: String
}

/// A request that is under way or was answered not long ago.
struct RequestRecord: Sendable {
  /// What was asked, to tell another request under the same ID.
  let urls: [String]
  let options: [String: Variant]
  let result: Task<Result<Receipt, BusError>, Never>
  var tickets: [(Target, Target.Ticket)] = []

  /// How many answered requests are remembered.
  static let remembered = 1_000
}
