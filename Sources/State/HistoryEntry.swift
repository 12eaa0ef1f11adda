// SPDX-License-Identifier: Apache-2.0
/// The outcome of one delivery, for the history.
///
/// It contains nothing secret.
public struct HistoryEntry: Hashable, Sendable {
  /// The arrival time, in microseconds since 1970.
  public var time: Int64
  /// The ID of the request.
  public var request: String
  /// The URLs without user information, query and fragment, separated by spaces.
  public var urls: String
  /// The desktop-file ID of the source application.
  public var source: String?
  /// The assurance of the source.
  public var assurance: String
  /// The desktop-file ID or the name of the intermediary that hides the source.
  public var via: String?
  /// The machine from which the request came; `nil` for a caller on this machine.
  public var remote: String?
  /// The desktop-file ID of the target.
  public var application: String?
  /// The kind of the delivery: whether the target was running or was started.
  public var delivery: String?
  /// The outcome.
  public var outcome: String
  /// The name of the error.
  public var error: String?
  /// The reason why nothing was delivered, with the route that rejects the links or the failure of the start, or the remark
  /// that the application does not serve the interface that its entry declares; otherwise `nil`.
  public var reason: String?
  /// The time from the arrival to the end, in microseconds.
  public var duration: Int64
  /// The states of the delivery with the microseconds from the arrival to each, such as `queued 812 sent 1900`; `nil` if it had none.
  public var states: String?
  /// The caller whose share of the history the entry uses.
  ///
  /// It is not reported to any caller.
  public var caller: String

  /// Creates an entry.
  public init(
    time: Int64, request: String, urls: String, source: String?, assurance: String, via: String? = nil,
    remote: String? = nil, application: String?, delivery: String?, outcome: String, error: String?,
    reason: String? = nil,
    duration: Int64, states: String? = nil, caller: String = ""
  ) {
    self.time = time
    self.request = request
    self.urls = urls
    self.source = source
    self.assurance = assurance
    self.via = via
    self.remote = remote
    self.application = application
    self.delivery = delivery
    self.outcome = outcome
    self.error = error
    self.reason = reason
    self.duration = duration
    self.states = states
    self.caller = caller
  }
}
