/// What became of one target's part of a request, for the person who asks later; nothing secret is in it.
public struct HistoryEntry: Hashable, Sendable {
  /// When it came, in microseconds since 1970.
  public var time: Int64
  /// The request's ID.
  public var request: String
  /// The URLs without user information, query and fragment, a space between them.
  public var urls: String
  /// Who asked, by desktop-file ID.
  public var source: String?
  /// How surely that is known.
  public var assurance: String
  /// The target's desktop-file ID.
  public var application: String?
  /// Whether the target was running or was started.
  public var delivery: String?
  /// What became of it.
  public var outcome: String
  /// The name of the error.
  public var error: String?
  /// From its arrival to its end, in microseconds.
  public var duration: Int64
  /// The caller that it counts for, where the history is too long; it is not told to anybody.
  public var caller: String

  /// An entry with what is known of it.
  public init(
    time: Int64, request: String, urls: String, source: String?, assurance: String, application: String?,
    delivery: String?, outcome: String, error: String?, duration: Int64, caller: String = ""
  ) {
    self.time = time
    self.request = request
    self.urls = urls
    self.source = source
    self.assurance = assurance
    self.application = application
    self.delivery = delivery
    self.outcome = outcome
    self.error = error
    self.duration = duration
    self.caller = caller
  }
}
