/// A request as it is written down: what its caller named, and its parts, one for each target.
public struct PendingRequest: Hashable, Sendable {
  /// How far a part has come, as far as that must be known after the broker's death.
  public enum Progress: String, Hashable, Sendable {
    /// It waits.
    case queued
    /// It is being sent, or was.
    case sent
    /// It was seen to arrive, and its end is still open.
    case delivered
    /// It is over.
    case ended
  }

  /// What goes to one target.
  public struct Part: Hashable, Sendable {
    /// Where it stands in the receipt, from 0; those of the fallback come after all others.
    public var place: Int
    /// The target's desktop-file ID; `nil` for a program that a route runs.
    public var target: String?
    /// How far it has come.
    public var progress: Progress
    /// How it was sent, in the words of whoever sent it; `nil` before.
    public var way: String?
    /// Whether a crash of the target has cut it off once.
    public var again: Bool
    /// What is sent; gone once the part is over.
    public var content: String
    /// What became of it, once it is over.
    public var result: String?
    /// Whether it is one of the fallback's.
    public var isFallback: Bool

    /// A part that waits, or one that is over at once.
    public init(
      place: Int, target: String?, content: String, progress: Progress = .queued, result: String? = nil,
      isFallback: Bool = false
    ) {
      self.place = place
      self.target = target
      self.content = content
      self.progress = progress
      self.result = result
      self.isFallback = isFallback
      way = nil
      again = false
    }
  }

  /// Its number, in the order of acceptance.
  public let number: Int64
  /// In whose scope its ID is.
  public let caller: String
  /// The ID.
  public let id: String
  /// Tells another request under the same ID.
  public let digest: [UInt8]
  /// What else is needed to answer its caller, in the words of whoever stored it.
  public let details: String
  /// Until when its caller waits, in nanoseconds since the machine started.
  public let deadline: Int64
  /// When it is too old, in nanoseconds since the machine started.
  public let expires: Int64
  /// Its parts, by place.
  public var parts: [Part]

  /// A request that is not written down yet.
  public init(
    number: Int64, caller: String, id: String, digest: [UInt8], details: String, deadline: Int64,
    expires: Int64,
    parts: [Part]
  ) {
    self.number = number
    self.caller = caller
    self.id = id
    self.digest = digest
    self.details = details
    self.deadline = deadline
    self.expires = expires
    self.parts = parts
  }
}
