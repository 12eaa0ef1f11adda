// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The progress of an application that is handling a request.
public struct RequestProgress: Hashable, Sendable {
  /// `completed` t: the number of completed units.
  public var completedUnitCount: UInt64?
  /// `total` t: the total number of units.
  public var totalUnitCount: UInt64?
  /// `message` s: a description of the current work for users.
  public var message: String?

  /// Creates a progress report.
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

  /// Reads the `a{sv}` of the bus; unknown keys are ignored.
  /// - Throws: ``MessageError`` with the key.
  public init(_ entries: [String: Variant]) throws(MessageError) {
    var fields = DictionaryDecoder(entries)
    let counts = 0...Int64.max
    completedUnitCount = try fields.integer(.completed, in: counts, of: "units", type: "t").map(UInt64.init)
    totalUnitCount = try fields.integer(.total, in: counts, of: "units", type: "t").map(UInt64.init)
    message = try fields.word(.message)
  }
}

extension RequestProgress {
  /// The progress as text, such as `3 of 10, importing`; `nil` if the report is empty.
  public var text: String? {
    let count: String? =
      switch (completedUnitCount, totalUnitCount) {
      case (let completed?, let total?): "\(completed) of \(total)"
      case (let completed?, nil): "\(completed) done"
      case (nil, let total?): "\(total) to do"
      case (nil, nil): nil
      }
    let words = [count, message].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}
