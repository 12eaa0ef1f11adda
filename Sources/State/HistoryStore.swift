/// What became of earlier requests: lasting state, in a file that outlives the machine's end but for its last commits.
///
/// It belongs to one owner, who uses it from one thread at a time.
public final class HistoryStore {
  /// The most entries that are kept; the oldest go first, of callers that have more than their part.
  public static let capacity = 10_000
  /// How many entries one caller may have in a history that is full: no caller makes others' go by more than that.
  public static let part = capacity / 10

  let database: Database

  /// Where it is, without links in its folder.
  public var path: String { database.path }

  /// Opens the file and makes it where it is not there.
  ///
  /// - Parameters:
  ///   - path: an absolute path; the folder becomes the user's alone.
  ///   - existing: a directory that is not made where it is missing; `nil` where every directory may be made.
  public init(at path: String, existing: String? = nil) throws(StateError) {
    // A user may have more than one session, each with its own broker.
    database = try Database(at: path, existing: existing, .power, isShared: true, Migration.ofLastingState)
  }

  /// Opens the file like `init`; one that is no sound database is set aside first.
  ///
  /// - Returns: the store, and the name that a damaged file has now.
  public static func open(
    at path: String, existing: String? = nil
  ) throws(StateError) -> (store: HistoryStore, setAside: String?) {
    try StateFile.soundStore(at: path, existing: existing) { () throws(StateError) in
      try HistoryStore(at: path, existing: existing)
    }
  }

  /// How many more than it adds a step drops: a file that is far too long is not made short while somebody waits for it.
  static let surplus = 1_000

  /// Adds entries, all or none, and drops some of the oldest where they are too many.
  public func add(_ entries: [HistoryEntry]) throws(StateError) {
    try database.transaction { () throws(StateError) in
      for entry in entries {
        try database.run(
          """
          INSERT INTO history
            (time, request, urls, source, assurance, application, delivery, outcome, error, duration, caller)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
          [
            .integer(entry.time), .text(entry.request), .text(entry.urls), .optional(entry.source),
            .text(entry.assurance), .optional(entry.application), .optional(entry.delivery),
            .text(entry.outcome), .optional(entry.error), .integer(entry.duration),
            .text(entry.caller),
          ])
      }
      try drop(after: entries.count)
    }
  }

  /// Drops what is too much after `added` entries have come.
  private func drop(after added: Int) throws(StateError) {
    let step = added + Self.surplus
    var count = 0
    // No more than is needed is counted of a file that is far too long.
    try database.query(
      "SELECT count(*) FROM (SELECT 1 FROM history LIMIT ?)",
      [.integer(Int64(Self.capacity + step + 1))]
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

  /// The last `limit` entries, the newest first.
  public func entries(limit: Int) throws(StateError) -> [HistoryEntry] {
    var entries: [HistoryEntry] = []
    try database.query(
      """
      SELECT time, request, urls, source, assurance, application, delivery, outcome, error, duration, caller
      FROM history ORDER BY number DESC LIMIT ?
      """, [.integer(Int64(limit))]
    ) { row in
      entries.append(
        HistoryEntry(
          time: row.integer(0), request: row.text(1), urls: row.text(2), source: row.optionalText(3),
          assurance: row.text(4), application: row.optionalText(5), delivery: row.optionalText(6),
          outcome: row.text(7), error: row.optionalText(8), duration: row.integer(9),
          caller: row.text(10)))
    }
    return entries
  }
}
