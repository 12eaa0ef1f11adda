public import DBus

/// How far an application has come with a request that it is still handling.
public struct RequestProgress: Hashable, Sendable {
  /// `completed` t: how many units are done.
  public var completedUnitCount: UInt64?
  /// `total` t: how many there are.
  public var totalUnitCount: UInt64?
  /// `message` s: what is being done, in words for a person.
  public var message: String?

  /// What is known of it.
  public init(completed: UInt64? = nil, of total: UInt64? = nil, message: String? = nil) {
    completedUnitCount = completed
    totalUnitCount = total
    self.message = message
  }
}

extension RequestProgress {
  /// The `a{sv}` on the bus.
  public var entries: [String: Variant] {
    var entries: [String: Variant] = [:]
    entries.set(.completed, completedUnitCount.map(Variant.uint64))
    entries.set(.total, totalUnitCount.map(Variant.uint64))
    entries.set(.message, message.map(Variant.string))
    return entries
  }

  /// Reads the `a{sv}` of the bus; keys that are not known are left out.
  /// - Throws: ``MessageError`` naming the key.
  public init(_ entries: [String: Variant]) throws(MessageError) {
    var fields = DictionaryDecoder(entries)
    let counts = 0...Int64.max
    completedUnitCount = try fields.integer(.completed, in: counts, of: "units", type: "t").map(UInt64.init)
    totalUnitCount = try fields.integer(.total, in: counts, of: "units", type: "t").map(UInt64.init)
    message = try fields.word(.message)
  }
}
