// SPDX-License-Identifier: Apache-2.0
/// A store of the outcomes of earlier requests, in a persistent file that survives a power failure except for its last commits.
///
/// It has one owner, which uses it from one thread at a time.
public final class HistoryStore {
  /// The maximum number of entries.
  ///
  /// The oldest ones of callers that exceed their share are removed first.
  public static let capacity = 10_000
  /// The number of entries that one caller may have in a full history, which limits how many entries of others it displaces.
  public static let part = share(of: capacity)

  /// Returns the number of entries that one caller may have among `capacity`, which is a tenth.
  static func share(of capacity: Int) -> Int { max(1, capacity / 10) }

  let database: Database

  /// The path of the file, without symbolic links in its directory.
  public var path: String { database.path }

  /// Opens the file, and creates it if it is missing.
  ///
  /// - Parameters:
  ///   - path: An absolute path; the directory becomes private to the user.
  ///   - existing: A directory that is not created if it is missing; `nil` if every directory may be created.
  public init(at path: String, existing: String? = nil) throws(StateError) {
    // A user may have several sessions, each with its own broker.
    database = try Database(at: path, existing: existing, .power, isShared: true, Migration.ofLastingState)
  }

  /// Opens the file like `init`, after moving a corrupt file aside.
  ///
  /// - Returns: The store, and the path to which a corrupt file was moved, or `nil`.
  public static func open(
    at path: String, existing: String? = nil
  ) throws(StateError) -> (store: HistoryStore, setAside: String?) {
    try StateFile.soundStore(at: path, existing: existing) { () throws(StateError) in
      try HistoryStore(at: path, existing: existing)
    }
  }

  /// The maximum number of entries that are removed at once beyond the number of added ones.
  ///
  /// A file that is far too long is shortened in steps, because a task may be waiting for it.
  static let surplus = 1_000

  /// Adds entries, either all or none, and removes some of the oldest ones if there are too many.
  public func add(_ entries: [HistoryEntry]) throws(StateError) {
    try database.transaction { () throws(StateError) in
      for entry in entries {
        try database.run(
          """
          INSERT INTO history
            (time, request, urls, source, assurance, application, delivery, outcome, error, duration, caller,
             via, reason, remote, states)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
          [
            .integer(entry.time), .text(entry.request), .text(entry.urls), .optional(entry.source),
            .text(entry.assurance), .optional(entry.application), .optional(entry.delivery),
            .text(entry.outcome), .optional(entry.error), .integer(entry.duration),
            .text(entry.caller), .optional(entry.via), .optional(entry.reason), .optional(entry.remote),
            .optional(entry.states),
          ])
      }
      try drop(after: entries.count)
    }
  }

  /// Removes excess entries after `added` entries were added.
  private func drop(after added: Int) throws(StateError) {
    let step = added + Self.surplus
    var count = 0
    // Counting is limited, so that it does not take long for a file that is far too long.
    try database.query(
      "SELECT count(*) FROM (SELECT 1 FROM history LIMIT ?)",
      values: [.integer(Int64(Self.capacity + step + 1))]
    ) { count = Int($0.integer(0)) }
    var excess = min(count - Self.capacity, step)
    guard excess > 0 else { return }
    if count <= Self.capacity + step {
      try database.run(
        """
        DELETE FROM history WHERE number IN (
          SELECT number FROM (
            SELECT number, row_number() OVER (PARTITION BY caller ORDER BY number DESC) AS place FROM history)
          WHERE place > ? ORDER BY number LIMIT ?)
        """,
        [.integer(Int64(Self.part)), .integer(Int64(excess))])
      excess -= database.changes
    }
    guard excess > 0 else { return }
    try database.run(
      "DELETE FROM history WHERE number IN (SELECT number FROM history ORDER BY number LIMIT ?)",
      [.integer(Int64(excess))])
  }

  /// Returns the last `limit` entries that arrived in a period, the newest first.
  ///
  /// - Parameter period: times in microseconds since 1970.
  public func entries(
    limit: Int, in period: Range<Int64> = Int64.min..<Int64.max
  ) throws(StateError) -> [HistoryEntry] {
    try page(limit: limit, bytes: .max, in: period).entries
  }

  /// Returns the last entries that arrived in a period, the newest first: at most `limit`, and as many as have about `bytes` bytes.
  ///
  /// - Parameters:
  ///   - period: times in microseconds since 1970.
  ///   - end: The `next` of the previous page; `nil` for the first one.
  public func page(
    limit: Int, bytes: Int, in period: Range<Int64> = Int64.min..<Int64.max, before end: Int64? = nil
  ) throws(StateError) -> HistoryPage {
    var entries: [HistoryEntry] = []
    var size = 0
    var last: Int64 = 0
    var isCut = false
    try database.query(
      """
      SELECT time, request, urls, source, assurance, application, delivery, outcome, error, duration, caller,
        via, reason, remote, states, number
      FROM history WHERE time >= ? AND time < ? AND number < ? ORDER BY number DESC LIMIT ?
      """,
      values: [
        .integer(period.lowerBound), .integer(period.upperBound), .integer(end ?? .max),
        .integer(Int64(limit)),
      ]
    ) { row in
      guard !isCut else { return }
      let entry = HistoryEntry(
        time: row.integer(0), request: row.text(1), urls: row.text(2), source: row.optionalText(3),
        assurance: row.text(4), via: row.optionalText(11), remote: row.optionalText(13),
        application: row.optionalText(5),
        delivery: row.optionalText(6),
        outcome: row.text(7), error: row.optionalText(8), reason: row.optionalText(12),
        duration: row.integer(9), states: row.optionalText(14),
        caller: row.text(10))
      size += entry.size
      guard entries.isEmpty || size <= bytes else {
        isCut = true
        return
      }
      entries.append(entry)
      last = row.integer(15)
    }
    return HistoryPage(entries: entries, next: isCut ? last : nil)
  }
}
