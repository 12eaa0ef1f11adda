// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus

/// The error for a delivery that exceeds a quota.
struct QuotaExceeded: Error {
  /// The exceeded limit, as a sentence.
  let limit: String
}

/// The part of the quotas that a delivery uses until it is finished.
struct QuotaShare: Sendable {
  fileprivate let tracker: QuotaTracker
  fileprivate let caller: ChargedCaller
  /// The desktop-file ID of the application whose queue the delivery waits in; `nil` for a program that a route runs.
  fileprivate let target: String?
  fileprivate let urls: Int
  /// The approximate size in bytes of the envelope, and of what the request keeps besides.
  fileprivate let bytes: Int

  /// A Boolean value that indicates whether the share is that of a request about which the user is asked.
  fileprivate let isQuestion: Bool

  fileprivate init(
    in tracker: QuotaTracker, of envelope: Envelope, with options: OpenOptions, besides answers: Int = 0,
    to target: String?, from caller: ChargedCaller
  ) {
    let lists = [envelope.annotation, envelope.payload]
    self.init(
      in: tracker, urls: envelope.urls,
      bytes: Self.size(of: lists, envelope.others) + options.ownSize + answers,
      to: target, from: caller, isQuestion: false)
  }

  fileprivate init(
    in tracker: QuotaTracker, about urls: [String], with options: OpenOptions, from caller: ChargedCaller
  ) {
    let lists = [options.annotation, options.payload]
    self.init(
      in: tracker, urls: urls, bytes: Self.size(of: lists, options.others) + options.ownSize, to: nil,
      from: caller, isQuestion: true)
  }

  private init(
    in tracker: QuotaTracker, urls: [String], bytes: Int, to target: String?, from caller: ChargedCaller,
    isQuestion: Bool
  ) {
    self.tracker = tracker
    self.caller = caller
    self.target = target
    self.isQuestion = isQuestion
    self.urls = max(1, urls.count)
    self.bytes = urls.reduce(512) { $0 + $1.utf8.count } + bytes
  }

  private static func size(of lists: [PropertyList?], _ others: [String: Variant]) -> Int {
    lists.reduce(others.size) { $0 + ($1?.encodedSize ?? 0) }
  }

  /// Gives the share back.
  @BrokerActor
  func release() { tracker.release(self) }
}

extension OpenOptions {
  /// The size in bytes of the options that a request keeps besides its envelopes: the fallback, and the session of the caller.
  fileprivate var ownSize: Int {
    (session ?? [:]).reduce(fallback?.utf8.count ?? 0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
  }
}

/// The quotas of the deliveries in progress: in total, for each application, and for each caller.
@BrokerActor
final class QuotaTracker {
  private let limits: BrokerLimits
  private var urls: SharedQuota
  private var bytes: SharedQuota
  private var targets: [String: SharedQuota] = [:]
  /// The requests whose callers have left them while the user is asked.
  private var questions = SharedQuota(capacity: BrokerLimits.maximumLeftRequests)
  /// The number of deliveries in progress.
  private(set) var pending = 0

  init(_ limits: BrokerLimits) {
    self.limits = limits
    urls = SharedQuota(capacity: limits.total)
    bytes = SharedQuota(capacity: limits.bytes)
  }

  /// Acquires a share for a delivery of a request with `options`.
  ///
  /// - Parameter answers: The size in bytes of the answers that the request keeps besides.
  func acquire(
    for envelope: Envelope, with options: OpenOptions, besides answers: Int = 0, to target: String?,
    from caller: ChargedCaller
  ) throws(QuotaExceeded) -> QuotaShare {
    let share = QuotaShare(
      in: self, of: envelope, with: options, besides: answers, to: target, from: caller)
    if let limit = exceededLimit(by: share) { throw QuotaExceeded(limit: limit) }
    hold(share)
    return share
  }

  /// Acquires a share for a request whose caller leaves it while the user is asked; `nil` beyond a limit.
  func acquireQuestion(
    about urls: [String], _ options: OpenOptions, from caller: ChargedCaller
  ) -> QuotaShare? {
    let share = QuotaShare(in: self, about: urls, with: options, from: caller)
    guard questions.shortage(of: 1, for: caller.text) == nil, exceededLimit(by: share) == nil else {
      return nil
    }
    hold(share)
    return share
  }

  /// Acquires a share even beyond the limits, for a request about which an earlier broker asked the user.
  func holdQuestion(
    about urls: [String], _ options: OpenOptions, from caller: ChargedCaller
  ) -> QuotaShare {
    let share = QuotaShare(in: self, about: urls, with: options, from: caller)
    hold(share)
    return share
  }

  /// Acquires a share even beyond the limits, for a delivery that was accepted before.
  func holdBeyondLimit(
    for envelope: Envelope, with options: OpenOptions, to target: String?, from caller: ChargedCaller
  ) -> QuotaShare {
    let share = QuotaShare(in: self, of: envelope, with: options, to: target, from: caller)
    hold(share)
    return share
  }

  /// Returns the limit that a share exceeds, as a sentence; `nil` if it exceeds none.
  private func exceededLimit(by share: QuotaShare) -> String? {
    let caller = share.caller.text
    switch urls.shortage(of: share.urls, for: caller) {
    case .full?: return "the limit of \(limits.total) waiting URLs of all callers is reached"
    case .part(let held)?: return Self.part("\(held) URLs waiting", of: limits.total)
    case nil: break
    }
    switch bytes.shortage(of: share.bytes, for: caller) {
    case .full?:
      return "the limit of \(limits.bytes) bytes for the waiting requests of all callers is reached"
    case .part(let held)?: return Self.part("requests of \(held) bytes waiting", of: limits.bytes)
    case nil: break
    }
    if let target = share.target {
      switch quota(of: target).shortage(of: 1, for: caller) {
      case .full?: return "the limit of \(limits.perTarget) waiting requests for \(target) is reached"
      case .part(let held)?: return Self.part("\(held) requests waiting for \(target)", of: limits.perTarget)
      case nil: break
      }
    }
    return nil
  }

  private func hold(_ share: QuotaShare) {
    pending += 1
    urls.hold(share.urls, for: share.caller.text)
    bytes.hold(share.bytes, for: share.caller.text)
    if share.isQuestion { questions.hold(1, for: share.caller.text) }
    guard let target = share.target else { return }
    targets[target, default: SharedQuota(capacity: limits.perTarget)].hold(1, for: share.caller.text)
  }

  fileprivate func release(_ share: QuotaShare) {
    pending -= 1
    urls.release(share.urls, for: share.caller.text)
    bytes.release(share.bytes, for: share.caller.text)
    if share.isQuestion { questions.release(1, for: share.caller.text) }
    guard let target = share.target else { return }
    targets[target]?.release(1, for: share.caller.text)
    if targets[target]?.taken == 0 { targets[target] = nil }
  }

  private func quota(of target: String) -> SharedQuota {
    targets[target] ?? SharedQuota(capacity: limits.perTarget)
  }

  private static func part(_ what: String, of capacity: Int) -> String {
    "this caller already has \(what), the maximum for one caller at present (the limit of \(capacity) is shared by all callers)"
  }
}
