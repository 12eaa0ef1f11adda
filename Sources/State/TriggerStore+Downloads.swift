// SPDX-License-Identifier: Apache-2.0
/// A stored download that is not finished.
public struct StoredDownload: Hashable, Sendable {
  /// Its unique ID.
  public var id: String
  /// The application, by desktop-file ID.
  public var application: String
  /// The identifier of the download in its application.
  public var identifier: String
  /// The request, as JSON.
  public var request: String
  /// The progress, as JSON.
  public var progress: String
  /// The time at which it was stored, in milliseconds since 1970.
  public var date: Int64
  /// A Boolean value that is `true` if the user created it, and not the application.
  public var isOfUser: Bool

  /// Creates a download.
  public init(
    id: String, application: String, identifier: String, request: String, progress: String, date: Int64,
    isOfUser: Bool
  ) {
    self.id = id
    self.application = application
    self.identifier = identifier
    self.request = request
    self.progress = progress
    self.date = date
    self.isOfUser = isOfUser
  }
}

extension TriggerStore {
  // MARK: Downloads

  /// Stores a new download.
  public func add(_ download: StoredDownload) throws(StateError) {
    try database.commit(
      """
      INSERT INTO download (id, application, identifier, request, progress, date, of_user)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(download.id), .text(download.application), .text(download.identifier),
        .text(download.request), .text(download.progress), .integer(download.date),
        .integer(download.isOfUser ? 1 : 0),
      ])
  }

  /// Returns all downloads in the order in which they were stored.
  public func downloads() throws(StateError) -> [StoredDownload] {
    var downloads: [StoredDownload] = []
    try database.query(
      "SELECT id, application, identifier, request, progress, date, of_user FROM download ORDER BY row"
    ) { row in
      downloads.append(
        StoredDownload(
          id: row.text(0), application: row.text(1), identifier: row.text(2), request: row.text(3),
          progress: row.text(4), date: row.integer(5), isOfUser: row.integer(6) != 0))
    }
    return downloads
  }

  /// Changes the progress of a download.
  public func setProgress(_ progress: String, ofDownload id: String) throws(StateError) {
    try database.commit("UPDATE download SET progress = ? WHERE id = ?", [.text(progress), .text(id)])
  }

  /// Removes a download, and stores the event that reports its outcome to the application.
  ///
  /// - Parameter event: The event; `nil` if the application is not to receive any.
  public func finish(download id: String, _ event: StoredEvent?) throws(StateError) {
    try database.transaction { () throws(StateError) in
      try database.run("DELETE FROM download WHERE id = ?", [.text(id)])
      guard database.changes == 1, let event else { return }
      try insert(event, replaces: true)
    }
  }
}

extension Migration {
  /// The table of downloads.
  static let ofDownloads = Migration(
    statements: """
      CREATE TABLE download (
        row INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, application TEXT NOT NULL,
        identifier TEXT NOT NULL, request TEXT NOT NULL, progress TEXT NOT NULL, date INTEGER NOT NULL,
        of_user INTEGER NOT NULL, UNIQUE (application, identifier));
      """)
}
