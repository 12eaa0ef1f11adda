// SPDX-License-Identifier: Apache-2.0
/// The stored form of a request: its caller's data, and its parts, one for each target.
public struct PendingRequest: Hashable, Sendable {
  /// The progress of a part, as far as the next broker needs it after a crash.
  public enum Progress: String, Hashable, Sendable {
    /// The user is being asked, so the request has no targets yet.
    case asking
    /// The part waits.
    case queued
    /// The part is being sent, or was sent.
    case sent
    /// The part has arrived, and its outcome is open.
    case delivered
    /// The part is finished.
    case ended
  }

  /// The part of a request for one target.
  public struct Part: Hashable, Sendable {
    /// The index of the part in the receipt, from 0; the parts of the fallback follow all others.
    public var index: Int
    /// The target's desktop-file ID; `nil` for a program that a route runs.
    public var target: String?
    /// The progress of the part.
    public var progress: Progress
    /// The delivery method, in the notation of the code that sent it; `nil` before.
    public var method: String?
    /// The traces of earlier attempts to deliver the part, in the notation of the code that made them; 0 for nothing.
    public var earlier: Int
    /// The content to send, or the URLs about which the user is asked; empty when the part is finished.
    public var content: String
    /// The outcome; `nil` until the part is finished.
    public var result: String?
    /// A Boolean value that indicates whether the part belongs to the fallback.
    public var isFallback: Bool

    /// Creates a part that is queued, or finished at once.
    public init(
      index: Int, target: String?, content: String, progress: Progress = .queued, result: String? = nil,
      isFallback: Bool = false
    ) {
      self.index = index
      self.target = target
      self.content = content
      self.progress = progress
      self.result = result
      self.isFallback = isFallback
      method = nil
      earlier = 0
    }
  }

  /// The number of the request, in the order of acceptance.
  public let number: Int64
  /// The caller in whose scope the ID is unique.
  public let caller: String
  /// The ID of the request.
  public let id: String
  /// The digest that detects another request with the same ID.
  public let digest: [UInt8]
  /// Further data for the answer to the caller, in the notation of the code that stored it.
  public let details: String
  /// The time at which the caller's timeout expires, in nanoseconds since boot.
  public var deadline: Int64
  /// The time at which the request expires, in nanoseconds since boot.
  public let expires: Int64
  /// The parts in the order of `index`.
  public var parts: [Part]

  /// A Boolean value that indicates whether all parts are finished.
  public var isEnded: Bool { parts.allSatisfy { $0.progress == .ended } }

  /// Creates a request that is not stored yet.
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
