// SPDX-License-Identifier: Apache-2.0
/// The part of a file that was received, and is certainly a part of one version of it.
public struct PartialFile: Hashable, Sendable {
  /// The number of bytes from the beginning.
  public var count: Int64 = 0
  /// The length of the whole file; `nil` if the server did not state it.
  public var total: Int64?
  /// The validator of the version; `nil` if it has none, so that it cannot be continued.
  public var validator: String?

  /// Creates an empty part.
  public init() {}

  /// Indicates whether nothing is missing.
  public var isWhole: Bool { total == count }
}

/// An attempt to receive the rest of a file, after `curl` has exited.
public struct TransferAttempt: Sendable {
  /// The end of `curl`.
  public enum End: Hashable, Sendable {
    /// It exited with this status.
    case exited(Int32)
    /// A signal with this number ended it.
    case signalled(Int32)
    /// It has exited, and its status is not known.
    case unknown
    /// It runs, and the attempt is judged meanwhile.
    case running
  }

  /// The decision after an attempt.
  public enum Verdict: Hashable, Sendable {
    /// The file is whole.
    case whole(PartialFile)
    /// The next attempt continues the file, which is cut to the part.
    case proceed(PartialFile, DownloadFailure)
    /// The next attempt begins the file again.
    case restart(DownloadFailure)
    /// No attempt can succeed.
    case fail(DownloadFailure)
  }

  /// The part at the beginning of the attempt.
  public var start: PartialFile
  /// The end.
  public var end: End
  /// The headers that curl has dumped.
  public var dump: [UInt8]
  /// The length of the partial file.
  public var size: Int64
  /// The maximum length of the file.
  public var limit: Int64?

  /// Creates an attempt.
  public init(start: PartialFile, end: End, dump: [UInt8], size: Int64, limit: Int64?) {
    self.start = start
    self.end = end
    self.dump = dump
    self.size = size
    self.limit = limit
  }

  /// The delay that the server requests, in seconds.
  public var retryAfter: Int64? { ResponseHead(dump: dump)?.retryAfter }

  /// The verdict.
  ///
  /// The bytes after ``start`` count only if the header of their response proves that they continue the same version of the
  /// file. The header is written before the bytes, so that this holds however the attempt ended.
  public var verdict: Verdict {
    if let failure = tooLarge(of: nil) { return .fail(failure) }
    guard let head = ResponseHead(dump: dump), !isBeforeTheResponse(head) else {
      if let failure = finalFailure { return .fail(failure) }
      if end == .exited(33) { return .restart(Self.changed) }
      return .proceed(start, interruption)
    }
    if head.status == 416, start.count > 0 { return .restart(Self.changed) }
    if head.status >= 300 { return rejection(head.status) }
    var part: PartialFile
    if start.count == 0 {
      // A part that was not requested, and an answer without content, are no file.
      guard head.status == 200 || head.status == 203 else { return rejection(head.status) }
      part = PartialFile()
      part.total = head.total
      part.validator = head.validator
    } else {
      guard continues(head) else { return .restart(Self.changed) }
      part = start
      part.total = part.total ?? head.total
    }
    part.count = max(size, start.count)
    if let failure = tooLarge(of: part.total) { return .fail(failure) }
    return verdict(of: part)
  }

  private func verdict(of part: PartialFile) -> Verdict {
    if let total = part.total {
      if part.count > total { return .restart(Self.changed) }
      if part.count == total { return .whole(part) }
    } else if end == .exited(0) {
      return .whole(part)
    }
    if end == .running { return .proceed(part, interruption) }
    if end == .exited(33) { return .restart(Self.changed) }
    if let failure = finalFailure { return .fail(failure) }
    return part.validator == nil && part.count > 0
      ? .restart(Self.notContinued) : .proceed(part, interruption)
  }

  /// Returns whether a response carries the rest of the version of which ``start`` is the beginning.
  private func continues(_ head: ResponseHead) -> Bool {
    guard head.status == 206, let range = head.range, range.start == start.count,
      let validator = start.validator, head.has(validator)
    else { return false }
    guard let known = start.total, let stated = range.total else { return true }
    return known == stated
  }

  /// Returns whether a redirect was the last response, so that the final response never arrived.
  private func isBeforeTheResponse(_ head: ResponseHead) -> Bool {
    guard (300...399).contains(head.status), head.status != 304 else { return false }
    return end != .exited(0)
  }

  private func tooLarge(of total: Int64?) -> DownloadFailure? {
    // SIGXFSZ is 25: the kernel has ended curl at the limit of the length of a file.
    let isStopped = end == .exited(63) || end == .signalled(25)
    guard let limit, isStopped || size > limit || total.map({ $0 > limit }) ?? false else { return nil }
    return DownloadFailure(
      .tooLarge,
      "the file is longer than the limit of \(limit) bytes; allow a larger one, for example with --max-size")
  }

  private func rejection(_ status: Int) -> Verdict {
    switch status {
    case 408, 425, 429, 500...:
      return .proceed(
        start, DownloadFailure(.rejected, "the server cannot send the file now (HTTP status \(status))"))
    case 401, 403, 407:
      return .fail(
        DownloadFailure(
          .rejected,
          "the server does not allow the download (HTTP status \(status)); sign in, or use another URL"))
    case 404, 410:
      return .fail(
        DownloadFailure(.rejected, "the server does not have the file (HTTP status \(status)); check the URL")
      )
    default:
      return .fail(
        DownloadFailure(.rejected, "the server does not send a file (HTTP status \(status)); check the URL"))
    }
  }

  /// The failure that no further attempt can repair.
  private var finalFailure: DownloadFailure? {
    guard case .exited(let status) = end else { return nil }
    switch status {
    case 1, 3:
      return DownloadFailure(
        .redirect,
        "the URL or a redirect leads to another protocol than http and https, or from https to http; use the URL of the file itself"
      )
    case 47:
      return DownloadFailure(
        .redirect,
        "the server redirects more than \(DownloadLimits.redirects) times; use the URL of the file itself")
    case 60 where start.count == 0:
      return DownloadFailure(
        .certificate,
        "the certificate of the server is not trusted; check the URL and the clock of this machine")
    default: return nil
    }
  }

  private static let changed = DownloadFailure(
    .changed, "the file has changed on the server, or the server cannot continue a transfer; it begins again")
  private static let notContinued = DownloadFailure(
    .changed,
    "the transfer was interrupted, and the server sends nothing by which it could be continued safely; it begins again"
  )

  /// The failure after which the next attempt continues.
  private var interruption: DownloadFailure {
    guard case .exited(let status) = end else {
      return DownloadFailure(.connection, "the transfer was interrupted")
    }
    switch status {
    case 5, 6:
      return DownloadFailure(.connection, "the name of the server cannot be resolved; check the network")
    case 7: return DownloadFailure(.connection, "the server cannot be reached; check the network")
    case 23:
      return DownloadFailure(
        .disk, "the file cannot be written, because the disk is full or has failed; free some space")
    case 28:
      return DownloadFailure(.connection, "the server has sent nothing for \(DownloadLimits.stall) seconds")
    case 60: return DownloadFailure(.certificate, "the certificate of the server is not trusted")
    case 126, 127, 200...243:
      return DownloadFailure(
        .program, "curl cannot be started (status \(status)); reinstall the package curl")
    default:
      return DownloadFailure(.connection, "the connection was lost (curl's exit status \(status))")
    }
  }
}

extension TransferAttempt {
  /// Returns the delay before the next attempt in seconds: 1, 2, 4 and so on, and at most ten minutes.
  ///
  /// - Parameters:
  ///   - failures: The number of attempts without progress.
  ///   - requested: The delay that the server requests, in seconds; more than an hour counts as an hour.
  public static func delay(after failures: Int, requested: Int64?) -> Int64 {
    let exponent = min(max(0, failures - 1), 10)
    let usual = min(1 << exponent, DownloadLimits.longestDelay)
    return max(Int64(usual), min(requested ?? 0, 3_600))
  }
}
