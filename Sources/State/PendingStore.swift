// SPDX-License-Identifier: Apache-2.0
/// A store of the requests that are in progress or were answered recently, in a file that exists as long as the session.
///
/// Its contents survive the end of the process at any instant, but not a reboot: requests of an earlier boot are
/// removed. It has one owner, which uses it from one thread at a time.
public final class PendingStore {
  static let migrations = [
    Migration(
      statements: """
        CREATE TABLE setting (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE request (
          number INTEGER PRIMARY KEY, caller TEXT NOT NULL, id TEXT NOT NULL, digest BLOB NOT NULL,
          details TEXT NOT NULL, deadline INTEGER NOT NULL, expires INTEGER NOT NULL);
        CREATE TABLE part (
          request INTEGER NOT NULL, place INTEGER NOT NULL, target TEXT, progress TEXT NOT NULL, way TEXT,
          again INTEGER NOT NULL, is_fallback INTEGER NOT NULL, result TEXT,
          PRIMARY KEY (request, place)) WITHOUT ROWID;
        CREATE TABLE content (
          request INTEGER NOT NULL, place INTEGER NOT NULL, text TEXT NOT NULL,
          PRIMARY KEY (request, place)) WITHOUT ROWID;
        """)
  ]

  let database: Database
  private var reserve: ReservedSpace

  /// The secret key of this session, 16 bytes, which keeps digests unpredictable for programs without it.
  public let key: [UInt8]

  /// The address of the bus on which the requests were accepted; `nil` if the file contains none.
  public let bus: String?

  /// The path of the file, without symbolic links in its directory.
  public var path: String { database.path }

  /// A Boolean value that indicates whether the file is from an earlier broker of this session that did not exit in order.
  ///
  /// Such a broker may have sent requests that are not in the file.
  public let followsCrash: Bool

  /// A Boolean value that indicates whether another broker would find this file: `false` after it, or a directory above it, was replaced.
  public var isInPlace: Bool { (try? database.checkPath()) != nil }

  /// Opens the file, and creates it if it is missing.
  ///
  /// - Parameters:
  ///   - path: An absolute path; the directory becomes private to the user.
  ///   - existing: A directory that is not created if it is missing; `nil` if every directory may be created.
  ///   - session: The boot ID.
  ///   - bus: The address of the bus on which requests are accepted from now on; `nil` retains the stored one.
  ///   - secret: The key for a file that is new, or new in this session; a random one if it is `nil`.
  ///   - atCommit: Called immediately before and after each commit, for tests that end the process there.
  public init(
    at path: String, existing: String? = nil, session: String, bus: String? = nil, secret: [UInt8]? = nil,
    atCommit: (() -> Void)? = nil
  ) throws(StateError) {
    let database = try Database(at: path, existing: existing, .process, Self.migrations)
    self.database = database
    var reserve = ReservedSpace(of: database.path)
    // Frequent checkpoints keep the log smaller than the reserved space.
    try database.execute("PRAGMA wal_autocheckpoint = 32")
    var settings: [String: [UInt8]] = [:]
    try database.query("SELECT name, value FROM setting") { settings[$0.text(0)] = $0.bytes(1) }
    if let key = settings["key"], key.count == 16, settings["session"] == Array(session.utf8) {
      self.key = key
      followsCrash = settings["ended"] == nil
      try reserve.using { () throws(StateError) in
        try database.run("DELETE FROM setting WHERE name = 'ended'")
      }
    } else {
      followsCrash = false
      let key = secret ?? (0..<16).map { _ in UInt8.random(in: .min ... .max) }
      self.key = key
      try database.transaction { () throws(StateError) in
        for table in ["request", "part", "content", "setting"] { try database.run("DELETE FROM \(table)") }
        let set = "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)"
        try database.run(set, [.text("key"), .bytes(key)])
        try database.run(set, [.text("session"), .bytes(Array(session.utf8))])
      }
    }
    let storedBus = settings["bus"].map { String(decoding: $0, as: UTF8.self) }
    self.bus = bus ?? storedBus
    if let bus, bus != storedBus {
      try reserve.using { () throws(StateError) in
        try database.run(
          "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)",
          [.text("bus"), .bytes(Array(bus.utf8))])
      }
    }
    self.reserve = reserve
    database.atCommit = atCommit
  }

  /// Opens the file like `init`, after moving a corrupt file aside.
  ///
  /// It does not wait for other processes, because the caller may be an event loop.
  ///
  /// - Returns: The store, and the path to which a corrupt file was moved, or `nil`.
  public static func open(
    at path: String, existing: String? = nil, session: String, bus: String? = nil, secret: [UInt8]? = nil,
    atCommit: (() -> Void)? = nil
  ) throws(StateError) -> (store: PendingStore, setAside: String?) {
    try StateFile.soundStore(at: path, existing: existing, waits: false) { () throws(StateError) in
      try PendingStore(
        at: path, existing: existing, session: session, bus: bus, secret: secret, atCommit: atCommit)
    }
  }

  /// Stores that the broker exits in order, and that all requests that it has sent are in the file.
  public func recordOrderlyExit() throws(StateError) {
    let database = database
    try reserve.using { () throws(StateError) in
      try database.commit(
        "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", [.text("ended"), .bytes([1])])
    }
  }

  /// Stores a request with all its parts; existing records of it are not changed.
  ///
  /// - Parameter replacing: Whether the records of a request with the same number are removed in the same commit.
  /// - Throws: `diskFull` also if the request would fit, but not the later record of its outcome.
  public func add(_ request: PendingRequest, replacing: Bool = false) throws(StateError) {
    try add([request], replacing: replacing)
  }

  /// Stores requests like the function for one, in one commit.
  public func add(_ requests: [PendingRequest], replacing: Bool = false) throws(StateError) {
    guard !requests.isEmpty else { return }
    // The path is checked before the reserved space, which would be created in the same directory.
    try database.checkPath()
    guard reserve.hold() else { throw StateError(.diskFull, at: path) }
    try database.transaction { () throws(StateError) in
      for request in requests {
        if replacing { try delete(request.number) }
        try insert(request)
      }
    }
  }

  private func insert(_ request: PendingRequest) throws(StateError) {
    try database.run(
      """
      INSERT OR IGNORE INTO request (number, caller, id, digest, details, deadline, expires)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(request.number), .text(request.caller), .text(request.id), .bytes(request.digest),
        .text(request.details), .integer(request.deadline), .integer(request.expires),
      ])
    for part in request.parts { try insert(part, of: request.number) }
  }

  private func insert(_ part: PendingRequest.Part, of number: Int64) throws(StateError) {
    try database.run(
      """
      INSERT OR IGNORE INTO part (request, place, target, progress, way, again, is_fallback, result)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(number), .integer(Int64(part.index)), .optional(part.target), .text(part.progress.rawValue),
        .optional(part.method), .integer(Int64(part.earlier)), .integer(part.isFallback ? 1 : 0),
        .optional(part.result),
      ])
    guard part.progress != .ended else { return }
    try database.run(
      "INSERT OR IGNORE INTO content (request, place, text) VALUES (?, ?, ?)",
      [.integer(number), .integer(Int64(part.index)), .text(part.content)])
  }

  /// Stores the progress of a part, using the reserved space if the disk is full.
  ///
  /// - Returns: `false` if the file does not have the part.
  public func update(
    _ index: Int, of number: Int64, to progress: PendingRequest.Progress, method: String? = nil,
    earlier: Int = 0, result: String? = nil
  ) throws(StateError) -> Bool {
    let database = database
    return try reserve.using { () throws(StateError) in
      try database.transaction { () throws(StateError) -> Bool in
        try database.run(
          "UPDATE part SET progress = ?, way = ?, again = ?, result = ? WHERE request = ? AND place = ?",
          [
            .text(progress.rawValue), .optional(method), .integer(Int64(earlier)), .optional(result),
            .integer(number), .integer(Int64(index)),
          ])
        let isThere = database.changes == 1
        guard progress == .ended else { return isThere }
        // A finished part is not sent again, and its content may contain a secret.
        try database.run(
          "DELETE FROM content WHERE request = ? AND place = ?", [.integer(number), .integer(Int64(index))])
        return isThere
      }
    }
  }

  /// Stores that a request outlives its caller and is delivered until it expires.
  ///
  /// - Returns: `false` if the file does not have the request.
  public func recordOutlivesCaller(_ number: Int64) throws(StateError) -> Bool {
    let database = database
    return try reserve.using { () throws(StateError) in
      try database.transaction { () throws(StateError) -> Bool in
        try database.run("UPDATE request SET deadline = expires WHERE number = ?", [.integer(number)])
        return database.changes == 1
      }
    }
  }

  /// Removes requests.
  public func remove(_ numbers: [Int64]) throws(StateError) {
    guard !numbers.isEmpty else { return }
    try database.transaction { () throws(StateError) in
      for number in numbers { try delete(number) }
    }
  }

  /// Removes a request at once, using the reserved space if the disk is full.
  public func removeNow(_ number: Int64) throws(StateError) {
    try reserve.using { () throws(StateError) in try remove([number]) }
  }

  private func delete(_ number: Int64) throws(StateError) {
    try database.run("DELETE FROM request WHERE number = ?", [.integer(number)])
    try database.run("DELETE FROM part WHERE request = ?", [.integer(number)])
    try database.run("DELETE FROM content WHERE request = ?", [.integer(number)])
  }

  /// Returns all stored requests in the order of acceptance.
  ///
  /// Of several requests with the same caller and ID, such as one that was dropped and repeated, only the last one is
  /// retained.
  public func requests() throws(StateError) -> [PendingRequest] {
    var parts: [Int64: [PendingRequest.Part]] = [:]
    try database.query(
      """
      SELECT part.request, part.place, target, progress, way, again, is_fallback, result, content.text
      FROM part LEFT JOIN content ON content.request = part.request AND content.place = part.place
      ORDER BY part.request, part.place
      """
    ) { row in
      var part = PendingRequest.Part(
        index: Int(row.integer(1)), target: row.optionalText(2), content: row.text(8),
        progress: PendingRequest.Progress(rawValue: row.text(3)) ?? .sent, result: row.optionalText(7),
        isFallback: row.integer(6) != 0)
      part.method = row.optionalText(4)
      part.earlier = Int(row.integer(5))
      parts[row.integer(0), default: []].append(part)
    }
    var requests: [PendingRequest] = []
    try database.query(
      "SELECT number, caller, id, digest, details, deadline, expires FROM request ORDER BY number"
    ) { row in
      let request = PendingRequest(
        number: row.integer(0), caller: row.text(1), id: row.text(2), digest: row.bytes(3),
        details: row.text(4),
        deadline: row.integer(5), expires: row.integer(6), parts: parts[row.integer(0)] ?? [])
      requests.append(request)
    }
    var last: [[String]: Int64] = [:]
    for request in requests { last[[request.caller, request.id]] = request.number }
    let isLast = { (request: PendingRequest) in last[[request.caller, request.id]] == request.number }
    let earlier = requests.filter { !isLast($0) }.map(\.number)
    do throws(StateError) {
      try reserve.using { () throws(StateError) in try remove(earlier) }
    } catch  where error.reason == .diskFull {
      // The next broker removes them.
    }
    return requests.filter(isLast)
  }
}

extension PendingStore {
  /// Moves a corrupt file aside and creates a new one, without waiting for other processes.
  ///
  /// - Returns: The new store, and the path to which the corrupt file was moved.
  public static func replace(
    at path: String, existing: String? = nil, session: String, bus: String? = nil, secret: [UInt8]? = nil,
    atCommit: (() -> Void)? = nil
  ) throws(StateError) -> (store: PendingStore, setAside: String) {
    try StateFile.replacedStore(at: path, existing: existing) { () throws(StateError) in
      try PendingStore(
        at: path, existing: existing, session: session, bus: bus, secret: secret, atCommit: atCommit)
    }
  }
}
